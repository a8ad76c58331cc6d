import type { Clock } from '../base/clock.ts'
import type { Dispose } from '../base/disposable.ts'

/** Decides when a frame is painted: at events only, and never more often than the eye can use. */
export interface Painter {
  /** Something changed. Urgent: the user waits to see it, and it is painted before anything else happens. */
  request(isUrgent: boolean): void
  /** The terminal could not keep up with the last frame, or now can. */
  setBehind(isBehind: boolean): void
  dispose: Dispose
}

/** At most 30 frames a second while an answer streams. In milliseconds. */
export const FRAME_MS = 33

/** Makes one. */
export function createPainter(clock: Clock, paint: () => void): Painter {
  let last = Number.NEGATIVE_INFINITY
  let cancel: Dispose | undefined
  let isBehind = false
  let isDue = false
  let isOver = false
  const now = () => {
    cancel?.()
    cancel = undefined
    if (isOver) return
    if (isBehind) {
      isDue = true
      return
    }
    isDue = false
    paint()
    last = clock.monotonic()
  }
  return {
    request(isUrgent) {
      if (isUrgent) now()
      else if (cancel === undefined && !isOver) {
        cancel = clock.after(Math.max(0, last + FRAME_MS - clock.monotonic()), now)
      }
    },
    setBehind(behind) {
      isBehind = behind
      if (!behind && isDue) now()
    },
    dispose() {
      isOver = true
      cancel?.()
    },
  }
}
