import type { Clock } from '../base/clock.ts'

/** How long a cancelled call has to end by itself (TOOL-7), in milliseconds. */
export const CANCEL_GRACE_MS = 1_000

/**
 * Waits for a call; once `signal` aborts the call has a grace to end, then it is left to itself and the answer is
 * `abandoned`. Whatever the abandoned call does later is nobody's business any more.
 */
export function waitOrAbandon<Value>(
  running: Promise<Value>,
  options: { readonly signal: AbortSignal; readonly clock: Clock; readonly graceMs?: number },
): Promise<{ readonly kind: 'settled'; readonly value: Value } | { readonly kind: 'abandoned' }> {
  return new Promise((resolve, reject) => {
    let cancelTimer = () => {}
    const aborted = () => {
      cancelTimer = options.clock.after(options.graceMs ?? CANCEL_GRACE_MS, () =>
        resolve({ kind: 'abandoned' }),
      )
    }
    const done = () => {
      cancelTimer()
      options.signal.removeEventListener('abort', aborted)
    }
    if (options.signal.aborted) aborted()
    else options.signal.addEventListener('abort', aborted, { once: true })
    void running.then((value) => resolve({ kind: 'settled', value }), reject).then(done)
  })
}
