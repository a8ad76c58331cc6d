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
 * three times in a row; the same failing batch three times in the turn, whatever stood between. The first finding
 * steers, the next one stops.
 */
export function createCircleDetector(
  options: {
    /** Look at calls. */ readonly loop?: boolean /** Look at texts. */
    readonly duplicate?: boolean
  } = {},
): Detector {
  const { loop = true, duplicate = true } = options
  const batch = createCounter()
  const words = createCounter()
  const failures = new Map<string, number>()
  let steered = false

  const findCalls = (round: RoundReport): string | undefined => {
    if (round.calls.length === 0) return undefined
    const key = JSON.stringify(round.calls.map((call) => [call.name, call.arguments]))
    const failing = round.calls.every((call) => !call.ok)
    const inRow = batch(key)
    const failed = (failures.get(key) ?? 0) + (failing ? 1 : 0)
    if (failing) failures.set(key, failed)
    if (failing && failed >= REPEATS) return `the same failing calls were made ${failed} times`
    return inRow >= REPEATS ? `the same calls were made ${inRow} times in a row` : undefined
  }
  const findText = (round: RoundReport): string | undefined => {
    const times = words(round.text.trim())
    return times >= REPEATS ? `the same text was written ${times} times in a row` : undefined
  }

  return (round) => {
    const inCalls = findCalls(round)
    const inText = findText(round)
    const finding = (loop ? inCalls : undefined) ?? (duplicate ? inText : undefined)
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
