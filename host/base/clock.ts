import type { Dispose } from './disposable.ts'

/** Time as a dependency: real in the program, fake in tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that only grow, for durations. */
  monotonic(): number
  /** Runs `run` once after `ms`; the timer does not keep the process alive when `background`. */
  after(ms: number, run: () => void, options?: { readonly background?: boolean }): Dispose
  every(ms: number, run: () => void, options?: { readonly background?: boolean }): Dispose
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run, options) {
    const timer = setTimeout(run, ms)
    if (options?.background) timer.unref()
    return () => clearTimeout(timer)
  },
  every(ms, run, options) {
    const timer = setInterval(run, ms)
    if (options?.background) timer.unref()
    return () => clearInterval(timer)
  },
}

/** Resolves after `ms`, or as soon as the signal aborts: true when the time passed. */
export function wait(clock: Clock, ms: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve(false)
      return
    }
    const aborted = () => {
      cancel()
      resolve(false)
    }
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', aborted)
      resolve(true)
    })
    signal?.addEventListener('abort', aborted, { once: true })
  })
}
