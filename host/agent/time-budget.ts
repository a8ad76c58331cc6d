import type { Clock } from '../base/clock.ts'

/** A signal that also ends when its time is up. */
export interface TimeBudget {
  readonly signal: AbortSignal
  /** Whether it was the time that ended it. */
  isSpent(): boolean
  dispose(): void
}

/** Starts a wall-clock budget of `ms` milliseconds; undefined: no limit. */
export function startTimeBudget(clock: Clock, ms: number | undefined, signal: AbortSignal): TimeBudget {
  if (ms === undefined) return { signal, isSpent: () => false, dispose: () => {} }
  const timer = new AbortController()
  let spent = false
  const cancel = clock.after(ms, () => {
    spent = !signal.aborted
    timer.abort()
  })
  return { signal: AbortSignal.any([signal, timer.signal]), isSpent: () => spent, dispose: cancel }
}
