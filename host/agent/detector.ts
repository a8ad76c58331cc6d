/** What one round of a turn came to, for those who look for circles. */
export interface RoundReport {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly arguments: string; readonly ok: boolean }[]
}

/** Go on; say something to the model first; or stop the turn, with the reason for the user. */
export type Verdict =
  | { readonly kind: 'go' }
  | { readonly kind: 'steer'; readonly message: string }
  | { readonly kind: 'stop'; readonly reason: string }

/** Watches the rounds of one turn. */
export type Detector = (round: RoundReport) => Verdict

/** How often the same thing may stand in a row before it is called a circle. */
const REPEATS = 3

/**
 * Notices a model that runs in circles (bundled-plugins 6): the same batch of calls, or the same text beside calls,
 * three times in a row. The first finding steers, the next one stops.
 */
export function createCircleDetector(): Detector {
  const batch = createCounter()
  const words = createCounter()
  let steered = false
  return (round) => {
    const calls = round.calls.map((call) => [call.name, call.arguments])
    const sameCalls = batch(calls.length === 0 ? '' : JSON.stringify(calls))
    const sameText = words(round.text.trim())
    const finding =
      sameCalls >= REPEATS
        ? `the same ${round.calls.every((call) => !call.ok) ? 'failing calls' : 'calls'} were made ${sameCalls} times in a row`
        : sameText >= REPEATS
          ? `the same text was written ${sameText} times in a row`
          : undefined
    if (finding === undefined) return { kind: 'go' }
    if (steered) return { kind: 'stop', reason: finding }
    steered = true
    return {
      kind: 'steer',
      message: `You are going in circles: ${finding}. Do something else, or say what is missing and stop.`,
    }
  }
}

/** Counts how often the newest thing stands in a row; nothing counts as nothing. */
function createCounter(): (key: string) => number {
  let last = ''
  let count = 0
  return (key) => {
    count = key !== '' && key === last ? count + 1 : 1
    last = key
    return key === '' ? 0 : count
  }
}
