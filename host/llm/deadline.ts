import type { Clock } from '../base/clock.ts'
import type { Dispose } from '../base/disposable.ts'

/** A deadline that moves on with progress; one timer, however often it is moved. */
export interface Deadline {
  /** From now on `ms` may pass without the next call. */
  extend(ms: number): void
  dispose: Dispose
}

/** Starts a deadline; `expire` is called once, with the milliseconds that were allowed. */
export function startDeadline(clock: Clock, ms: number, expire: (ms: number) => void): Deadline {
  let allowed = ms
  let due = clock.monotonic() + ms
  let cancel: Dispose = () => {}
  const check = () => {
    const left = due - clock.monotonic()
    if (left > 0) arm(left)
    else expire(allowed)
  }
  const arm = (wait: number) => {
    cancel = clock.after(Math.ceil(wait), check)
  }
  arm(ms)
  return {
    extend(next) {
      const earlier = clock.monotonic() + next < due
      allowed = next
      due = clock.monotonic() + next
      if (!earlier) return
      cancel()
      arm(next)
    },
    dispose: () => cancel(),
  }
}
