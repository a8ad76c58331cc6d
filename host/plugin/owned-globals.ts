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
export function createOwnedGlobals(
  scope: Scope,
  fence: Fence,
  log: { info(text: string): void; warn(text: string): void },
): OwnedGlobals {
  const globals: Record<string, unknown> = {
    ...ownedTimers(scope, fence),
    process: ownedProcess(scope, fence),
    console: ownedConsole(log),
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

function ownedProcess(scope: Scope, fence: Fence): NodeJS.Process {
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

function ownedConsole(log: { info(text: string): void; warn(text: string): void }): Partial<Console> {
  const text = (parts: readonly unknown[]) =>
    parts.map((part) => (typeof part === 'string' ? part : inspect(part))).join(' ')
  const info = (...parts: unknown[]) => log.info(text(parts))
  const warn = (...parts: unknown[]) => log.warn(text(parts))
  return { ...console, log: info, info, debug: info, dir: info, table: info, warn, error: warn, trace: warn }
}

function inspect(value: unknown): string {
  if (value instanceof Error) return value.stack ?? value.message
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
