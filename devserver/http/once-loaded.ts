import { type Clock, wait } from '../../host/base/clock.ts'

/** How long an answer waits for the code that gives it, and how often it is asked meanwhile. Milliseconds. */
const PATIENCE_MS = 3_000
const PAUSE_MS = 5

/**
 * Asks until no part of the answer is undefined, which is what a render answers while its plugin's code is loaded for
 * the first time (MAN-3); gives the last answer when that takes too long.
 */
export async function onceLoaded<Value>(
  clock: Clock,
  ask: () => readonly (Value | undefined)[],
): Promise<readonly (Value | undefined)[]> {
  const until = clock.monotonic() + PATIENCE_MS
  for (;;) {
    const answer = ask()
    if (!answer.includes(undefined) || clock.monotonic() > until) return answer
    await wait(clock, PAUSE_MS)
  }
}
