/** Undoes what it stands for; calling it again does nothing. */
export type Dispose = () => void

/** Makes an undo idempotent. */
export function once(undo: () => void): Dispose {
  let done = false
  return () => {
    if (done) return
    done = true
    undo()
  }
}
