/** Milliseconds of work after which others get their turn. */
const SLICE_MS = 12

/** Lets the event loop go on now and then in long work. */
export interface Pace {
  /** Whether a slice is used up: then `rest` is due. */
  readonly tired: boolean
  rest(): Promise<void>
}

/** Starts a slice. */
export function createPace(): Pace {
  let until = performance.now() + SLICE_MS
  return {
    get tired() {
      return performance.now() > until
    },
    async rest() {
      await new Promise<void>((resolve) => setImmediate(resolve))
      until = performance.now() + SLICE_MS
    },
  }
}
