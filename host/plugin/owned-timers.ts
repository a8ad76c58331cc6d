import type { Fence } from './owned-globals.ts'
import type { Scope } from './scope.ts'

type Namespace = Readonly<Record<string, unknown>>
type Callable = (...args: unknown[]) => unknown

const NAMES = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate']

/** `node:timers` as a version sees it: the owned functions that it has as globals. */
export function ownTimers(original: Namespace, globals: Namespace): Namespace {
  const owned = Object.fromEntries(NAMES.map((name) => [name, globals[name] ?? original[name]]))
  const module: Record<string, unknown> = { ...original, ...owned }
  module.default = module
  return module
}

/** `node:timers/promises` as a version sees it: every wait ends with the version. */
export function ownTimerPromises(original: Namespace, scope: Scope): Namespace {
  const bound = (name: string, at: number): Callable => {
    const start: unknown = original[name]
    return (...args) => {
      const given: unknown = args[at]
      const signal = ownSignal(given, scope)
      const options = typeof given === 'object' && given !== null ? { ...given, signal } : { signal }
      const padded = Array.from({ length: at }, (_, index) => args[index])
      return typeof start === 'function' ? Reflect.apply(start, original, [...padded, options]) : undefined
    }
  }
  const module: Record<string, unknown> = {
    ...original,
    setTimeout: bound('setTimeout', 2),
    setInterval: bound('setInterval', 2),
    setImmediate: bound('setImmediate', 1),
  }
  module.default = module
  return module
}

function ownSignal(options: unknown, scope: Scope): AbortSignal {
  const own: unknown =
    typeof options === 'object' && options !== null ? Reflect.get(options, 'signal') : undefined
  return own instanceof AbortSignal ? AbortSignal.any([own, scope.signal]) : scope.signal
}

/** `node:worker_threads` as a version sees it: a worker ends with the version. */
export function ownWorkers(original: Namespace, scope: Scope, fence: Fence): Namespace {
  const { Worker } = original
  if (typeof Worker !== 'function') return original
  const Owned = new Proxy(Worker, {
    construct(target, args, newTarget) {
      const worker: object = Reflect.construct(target, args, newTarget)
      const terminate: unknown = Reflect.get(worker, 'terminate')
      const dispose = scope.own('Worker', () => {
        if (typeof terminate === 'function') void Reflect.apply(terminate, worker, [])
      })
      listen(worker, 'exit', () => dispose())
      listen(worker, 'error', (thrown) => {
        // With a listener of the plugin's own, the fault is heard already.
        if (countListeners(worker) > 1) return
        fence('Worker', () => {
          throw thrown
        })
      })
      return worker
    },
  })
  const module: Record<string, unknown> = { ...original, Worker: Owned }
  module.default = module
  return module
}

function listen(worker: object, event: string, listener: (argument: unknown) => void): void {
  const on: unknown = Reflect.get(worker, 'on')
  if (typeof on === 'function') Reflect.apply(on, worker, [event, listener])
}

function countListeners(worker: object): number {
  const count: unknown = Reflect.get(worker, 'listenerCount')
  return typeof count === 'function' ? Number(Reflect.apply(count, worker, ['error'])) : 0
}
