import { listOf, parseJson, recordOf, textOf } from '../../sdk/index.ts'

const MONEY =
  /insufficient[_ ](?:quota|balance|credits?|funds)|billing_(?:hard_limit|not_active)|credit balance is too low|requires more credits|out of credits|exceeded your current quota|payment required|billing details/i

/**
 * Whether an error body says that money or a paid quota is used up, so that asking again is in vain (R4). Google says
 * "exceeded your current quota" of a limit per minute too, and then when to come back: that is a rate limit.
 */
export function saysQuota(body: string): boolean {
  const text = body.slice(0, 64 * 1024)
  if (!MONEY.test(text)) return false
  return !hasRetryDelay(text) || /PerDay/.test(text)
}

function hasRetryDelay(body: string): boolean {
  return retryDelayMs(body) !== undefined
}

/** The wait that Google's RetryInfo asks for, in milliseconds. */
export function retryDelayMs(body: string): number | undefined {
  const parsed = parseJson(body)
  const first = recordOf(parsed) ?? recordOf(listOf(parsed)[0])
  for (const item of listOf(recordOf(first?.error)?.details)) {
    const seconds = /^([0-9.]+)s$/.exec(textOf(recordOf(item)?.retryDelay))?.[1]
    if (seconds !== undefined) return Math.round(Number(seconds) * 1000)
  }
  return undefined
}
