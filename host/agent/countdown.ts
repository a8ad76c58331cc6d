import type { Clock } from '../base/clock.ts'

/** A wait before a request is sent again. */
export interface Wait {
  readonly waitMs: number
  /** Ends it at once. */
  readonly signal: AbortSignal
}

const SECOND_MS = 1000

/** Tells the whole seconds that are left of a wait, once a second, and 0 at its end. A wait of a second is no countdown. */
export function countDown(clock: Clock, { waitMs, signal }: Wait, tell: (secondsLeft: number) => void): void {
  if (waitMs <= SECOND_MS || signal.aborted) return
  const due = clock.monotonic() + waitMs
  const tick = () => tell(Math.max(1, Math.ceil((due - clock.monotonic()) / SECOND_MS)))
  const stopTicking = clock.every(SECOND_MS, tick, { background: true })
  const end = () => {
    stopTicking()
    stopWaiting()
    signal.removeEventListener('abort', end)
    tell(0)
  }
  const stopWaiting = clock.after(waitMs, end, { background: true })
  signal.addEventListener('abort', end, { once: true })
  tick()
}
