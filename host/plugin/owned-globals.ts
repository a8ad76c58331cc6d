import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'
import type { Scope } from './scope.ts'

/** Runs a plugin's callback so that a throw becomes a fault of that plugin instead of an uncaught exception. */
export type Fence = (label: string, run: () => unknown) => void

/**
 * The globals that reach beyond a module, as one version of a plugin sees them: what it starts through them is owned
 * by its scope and ends with it (LED-4), and what would end the process is refused (LED-9).
 */
export interface OwnedGlobals {
  readonly names: readonly string[]
  readonly values: readonly unknown[]
}

/** Thrown at a plugin that tries to end amber. */
export class ExitRefused extends Error {
  override readonly name = 'ExitRefused'
}

/** Makes the globals of one version. Their order is the order of `names`. */
export function createOwnedGlobals(scope: Scope, fence: Fence, log: PluginLogDoor): OwnedGlobals {
  const streams = ownedStreams(log)
  const globals: Record<string, unknown> = {
    ...ownedTimers(scope, fence),
    process: ownedProcess(scope, fence, streams),
    console: ownedConsole(streams),
    queueMicrotask: (callback: TimerCallback) =>
      queueMicrotask(() => fence('queueMicrotask', () => callback())),
    fetch: (input: string | URL | Request, init?: RequestInit) =>
      fetch(input, {
        ...init,
        signal: init?.signal ? AbortSignal.any([init.signal, scope.signal]) : scope.signal,
      }),
  }
  return { names: Object.keys(globals), values: Object.values(globals) }
}

type TimerCallback = (...args: unknown[]) => unknown

function ownedTimers(scope: Scope, fence: Fence): Record<string, unknown> {
  const disposers = new Map<unknown, () => void>()
  const clear = (handle: unknown) => {
    const dispose = disposers.get(handle)
    if (!disposers.delete(handle)) clearTimeout(handle as NodeJS.Timeout)
    dispose?.()
  }
  const shortLived =
    (label: string, start: (run: () => void, ms: number) => object, stop: (handle: object) => void) =>
    (callback: TimerCallback, ms = 0, ...args: unknown[]): object => {
      const handle = start(() => {
        if (label !== 'setInterval') clear(handle)
        fence(label, () => callback(...args))
      }, ms)
      disposers.set(
        handle,
        scope.own(`${label} ${ms} ms`, () => stop(handle)),
      )
      return handle
    }
  const stopTimer = (handle: object) => clearTimeout(handle as NodeJS.Timeout)
  const timeout = shortLived('setTimeout', (run, ms) => setTimeout(run, ms), stopTimer)
  // Node gives its own setTimeout this form, and `promisify(setTimeout)` is a common idiom.
  Object.assign(timeout, {
    [promisify.custom]: (ms?: number, value?: unknown) =>
      new Promise((resolve) => {
        timeout(() => resolve(value), ms)
      }),
  })
  return {
    setTimeout: timeout,
    setInterval: shortLived('setInterval', (run, ms) => setInterval(run, ms), stopTimer),
    setImmediate: (callback: TimerCallback, ...args: unknown[]) => {
      const handle = setImmediate(() => {
        clear(handle)
        fence('setImmediate', () => callback(...args))
      })
      disposers.set(
        handle,
        scope.own('setImmediate', () => clearImmediate(handle)),
      )
      return handle
    },
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  }
}

const SUBSCRIBERS = new Set(['on', 'addListener', 'once', 'prependListener', 'prependOnceListener'])
const ENDERS = new Set(['exit', 'reallyExit', 'abort', 'kill'])

function ownedProcess(scope: Scope, fence: Fence, streams: OwnedStreams): NodeJS.Process {
  const owned = new Map<unknown, (...args: unknown[]) => void>()
  const subscribe =
    (method: string) =>
    (event: string, listener: (...args: unknown[]) => unknown): NodeJS.Process => {
      const guarded = (...args: unknown[]) => fence(`process listener "${event}"`, () => listener(...args))
      owned.set(listener, guarded)
      Reflect.apply(Reflect.get(process, method), process, [event, guarded])
      scope.own(`process listener "${event}"`, () => process.removeListener(event, guarded))
      return proxy
    }
  const refuse = (name: string) => (argument?: unknown) => {
    if (name === 'kill' && argument !== process.pid && argument !== 0) {
      return Reflect.apply(process.kill, process, [argument, 'SIGTERM'])
    }
    throw new ExitRefused(`process.${name}() was called: a plugin cannot end amber`)
  }
  const proxy: NodeJS.Process = new Proxy(process, {
    get(target, property) {
      if (typeof property === 'string') {
        if (property === 'stdout') return streams.out
        if (property === 'stderr') return streams.err
        if (SUBSCRIBERS.has(property)) return subscribe(property)
        if (property === 'off' || property === 'removeListener') {
          return (event: string, listener: (...args: unknown[]) => void) => {
            target.removeListener(event, owned.get(listener) ?? listener)
            return proxy
          }
        }
        if (property === 'kill') {
          return (pid: number, signal?: string | number) => {
            if (pid === target.pid || pid === 0) return refuse('kill')(pid)
            return target.kill(pid, signal)
          }
        }
        if (ENDERS.has(property)) return refuse(property)
      }
      const value: unknown = Reflect.get(target, property, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
    set: (target, property, value) =>
      property === 'exitCode' ? true : Reflect.set(target, property, value, target),
  })
  return proxy
}

/** A console whose every method writes to the log: standard output belongs to whoever reads amber's answer. */
function ownedConsole(streams: OwnedStreams): Console {
  return new Console({ stdout: streams.out, stderr: streams.err })
}

interface OwnedStreams {
  readonly out: Writable
  readonly err: Writable
}

type PluginLogDoor = { info(text: string): void; warn(text: string): void }

/** What a version writes to standard output and error, line by line in its log. */
function ownedStreams(log: PluginLogDoor): OwnedStreams {
  const toLog = (write: (text: string) => void) =>
    new Writable({
      decodeStrings: false,
      write(chunk: string | Uint8Array, _encoding, done) {
        const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
        for (const line of text.split('\n')) if (line !== '') write(line)
        done()
      },
    })
  return { out: toLog((text) => log.info(text)), err: toLog((text) => log.warn(text)) }
}
