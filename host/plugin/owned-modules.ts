import type { ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import type { Scope } from './scope.ts'

type Callable = (...args: unknown[]) => unknown
type Namespace = Readonly<Record<string, unknown>>

/** The functions of Node's modules that start something which outlives the call, and how it is ended. */
const STARTERS: Readonly<Record<string, Readonly<Record<string, (started: unknown) => void>>>> = {
  child_process: { spawn: endChild, exec: endChild, execFile: endChild, fork: endChild },
  http: { createServer: endServer, request: endStream, get: endStream },
  https: { createServer: endServer, request: endStream, get: endStream },
  net: { createServer: endServer, connect: endStream, createConnection: endStream },
  tls: { createServer: endServer, connect: endStream },
  fs: { watch: endWatcher, watchFile: endWatcher },
}

/**
 * The `require` of one version of a plugin: Node's modules that start children, servers or sockets come with
 * functions that hand what they start to the version's scope (LED-4). `shared` answers first: the SDK and what the
 * host lends, so that singletons hold.
 */
export function createOwnedRequire(
  scope: Scope,
  folder: string,
  shared: Readonly<Record<string, unknown>>,
): (id: string) => unknown {
  const fromFolder = createRequire(`${folder}/plugin.json`)
  const made = new Map<string, Namespace>()
  return (id) => {
    if (Object.hasOwn(shared, id)) return shared[id]
    const name = id.startsWith('node:') ? id.slice(5) : id
    const starters = STARTERS[name]
    if (!starters) return fromFolder(id)
    const known = made.get(name)
    if (known) return known
    const wrapped = ownModule(
      fromFolder(`node:${name}`),
      starters,
      (label, end) => scope.own(label, end),
      name,
    )
    made.set(name, wrapped)
    return wrapped
  }
}

function ownModule(
  original: Namespace,
  starters: Readonly<Record<string, (started: unknown) => void>>,
  own: (label: string, end: () => void) => () => void,
  moduleName: string,
): Namespace {
  const wrapped: Record<string, unknown> = { ...original }
  for (const [name, end] of Object.entries(starters)) {
    const start: unknown = original[name]
    if (typeof start !== 'function') continue
    const owned: Callable = (...args) => keep(Reflect.apply(start, original, args), `${moduleName}.${name}`)
    const keep = <Started>(started: Started, label: string): Started => {
      const dispose = own(label, () => end(started))
      forgetWhenClosed(started, dispose)
      return started
    }
    const promised: unknown = Reflect.get(start, promisify.custom)
    if (typeof promised === 'function') {
      Object.assign(owned, {
        [promisify.custom]: (...args: unknown[]) => {
          const running: unknown = Reflect.apply(promised, original, args)
          if (hasChild(running)) keep(running.child, `${moduleName}.${name}`)
          return running
        },
      })
    }
    wrapped[name] = owned
  }
  wrapped.default = wrapped
  return wrapped
}

function hasChild(value: unknown): value is { readonly child: ChildProcess } {
  return typeof value === 'object' && value !== null && 'child' in value
}

/** What ended by itself is no longer held; a long-lived plugin would otherwise collect thousands of dead handles. */
function forgetWhenClosed(started: unknown, dispose: () => void): void {
  if (typeof started !== 'object' || started === null || !('once' in started)) return
  if (typeof started.once === 'function') started.once('close', () => dispose())
}

function call(target: unknown, method: string, ...args: unknown[]): void {
  if (typeof target !== 'object' || target === null) return
  const member: unknown = Reflect.get(target, method)
  if (typeof member === 'function') Reflect.apply(member, target, args)
}

function endChild(started: unknown): void {
  if (typeof started !== 'object' || started === null) return
  if (Reflect.get(started, 'exitCode') !== null || Reflect.get(started, 'signalCode') !== null) return
  call(started, 'kill', 'SIGTERM')
  const later = setTimeout(() => call(started, 'kill', 'SIGKILL'), 1000)
  later.unref()
}

function endServer(started: unknown): void {
  call(started, 'close')
  call(started, 'closeAllConnections')
}

function endStream(started: unknown): void {
  // Destroying a request emits an error that nobody of a retired version listens for.
  call(started, 'on', 'error', () => {})
  call(started, 'destroy')
}

function endWatcher(started: unknown): void {
  call(started, 'close')
}
