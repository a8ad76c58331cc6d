import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import type { Fence, OwnedGlobals } from './owned-globals.ts'
import { ownTimerPromises, ownTimers, ownWorkers } from './owned-timers.ts'
import type { Scope } from './scope.ts'
import { endChild, endServer, endSocket, endStream, endWatcher } from './started.ts'

type Namespace = Readonly<Record<string, unknown>>
type End = (started: unknown) => void

/** The functions of Node's modules that start something which outlives the call, and how it is ended. */
const STARTERS: Readonly<Record<string, Readonly<Record<string, End>>>> = {
  child_process: { spawn: endChild, exec: endChild, execFile: endChild, fork: endChild },
  http: { createServer: endServer, request: endStream, get: endStream },
  https: { createServer: endServer, request: endStream, get: endStream },
  net: { createServer: endServer, connect: endStream, createConnection: endStream },
  tls: { createServer: endServer, connect: endStream },
  dgram: { createSocket: endSocket },
  fs: { watch: endWatcher, watchFile: endWatcher },
}

/** Node's modules that are another thing for a plugin than a set of starters. */
function specialModules(
  scope: Scope,
  { globals, fence }: { readonly globals: Namespace; readonly fence: Fence },
): Readonly<Record<string, (original: Namespace) => unknown>> {
  return {
    process: () => globals.process,
    console: () => globals.console,
    timers: (original) => ownTimers(original, globals),
    'timers/promises': (original) => ownTimerPromises(original, scope),
    worker_threads: (original) => ownWorkers(original, scope, fence),
  }
}

/**
 * The `require` of one version of a plugin: Node's modules that start timers, children, servers or sockets come with
 * functions that hand what they start to the version's scope (LED-4), and `process` refuses to end amber (LED-9).
 * `shared` answers first: the SDK and what the host lends, so that singletons hold.
 */
export function createOwnedRequire(
  scope: Scope,
  folder: string,
  lent: { readonly shared: Namespace; readonly globals: OwnedGlobals; readonly fence: Fence },
): (id: string) => unknown {
  const fromFolder = createRequire(`${folder}/plugin.json`)
  const made = new Map<string, unknown>()
  const globals = Object.fromEntries(
    lent.globals.names.map((name, index) => [name, lent.globals.values[index]]),
  )
  const special = specialModules(scope, { globals, fence: lent.fence })
  const make = (name: string): unknown => {
    const original: Namespace = fromFolder(`node:${name}`)
    const replace = Object.hasOwn(special, name) ? special[name] : undefined
    if (replace) return replace(original)
    return ownStarters(original, {
      name,
      starters: STARTERS[name] ?? {},
      own: (label, end) => scope.own(label, end),
    })
  }
  return (id) => {
    if (Object.hasOwn(lent.shared, id)) return lent.shared[id]
    const name = id.startsWith('node:') ? id.slice(5) : id
    if (!Object.hasOwn(STARTERS, name) && !Object.hasOwn(special, name)) return fromFolder(id)
    if (!made.has(name)) made.set(name, make(name))
    return made.get(name)
  }
}

interface OwnedModule {
  readonly name: string
  readonly starters: Readonly<Record<string, End>>
  readonly own: (label: string, end: () => void) => () => void
}

function ownStarters(original: Namespace, { name: moduleName, starters, own }: OwnedModule): Namespace {
  const wrapped: Record<string, unknown> = { ...original }
  const keep = <Started>(started: Started, label: string, end: End): Started => {
    forgetWhenClosed(
      started,
      own(label, () => end(started)),
    )
    return started
  }
  for (const [name, end] of Object.entries(starters)) {
    const start: unknown = original[name]
    if (typeof start !== 'function') continue
    const label = `${moduleName}.${name}`
    const owned = (...args: unknown[]) => keep(Reflect.apply(start, original, args), label, end)
    const promised: unknown = Reflect.get(start, promisify.custom)
    if (typeof promised === 'function') {
      Object.assign(owned, {
        [promisify.custom]: (...args: unknown[]) => {
          const running: unknown = Reflect.apply(promised, original, args)
          if (typeof running === 'object' && running !== null && 'child' in running)
            keep(running.child, label, end)
          return running
        },
      })
    }
    wrapped[name] = owned
  }
  wrapped.default = wrapped
  return wrapped
}

/** What ended by itself is no longer held; a long-lived plugin would otherwise collect thousands of dead handles. */
function forgetWhenClosed(started: unknown, dispose: () => void): void {
  if (typeof started !== 'object' || started === null || !('once' in started)) return
  if (typeof started.once === 'function') started.once('close', () => dispose())
}
