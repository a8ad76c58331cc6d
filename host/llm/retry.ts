import type { Completion, LlmError } from '../../sdk/index.ts'
import { type Clock, wait } from '../base/clock.ts'
import type { RetryNotice } from './chat-client.ts'
import { cancelledError } from './network-error.ts'

/** How often and how long (bundled-plugins 5). Times in milliseconds. */
export interface RetryPolicy {
  readonly attempts: number
  /** The first wait lies between 0 and this, the next between 0 and twice this, … (full jitter). */
  readonly baseMs: number
  readonly maxBackoffMs: number
  /** A server that asks for a longer wait than this is not waited for. */
  readonly maxServerWaitMs: number
}

/** Three attempts. */
export const RETRY_POLICY: RetryPolicy = {
  attempts: 3,
  baseMs: 500,
  maxBackoffMs: 8000,
  maxServerWaitMs: 300_000,
}

/** What one attempt came to. */
export interface Attempt {
  readonly completion: Completion
  /** Text of it is before the user's eyes. */
  readonly textShown: boolean
}

/** What retrying needs from outside. */
export interface RetryDeps {
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  readonly signal: AbortSignal
  readonly policy: RetryPolicy
  /** Try again even though text was shown (`--retry-partial`). */
  readonly retryPartial: boolean
  onRetry(notice: RetryNotice): void
}

/**
 * Runs attempts until one succeeds, cannot be cured by another, or is the last. The final error says how often it was
 * tried and why not again (R3). A cancellation ends a wait at once.
 */
export async function withRetries(run: () => Promise<Attempt>, deps: RetryDeps): Promise<Completion> {
  for (let attempt = 1; ; attempt++) {
    const { completion, textShown } = await run()
    const error = completion.error
    if (error === undefined || error.kind === 'cancelled') return completion
    const partial = textShown && completion.message.text !== ''
    const verdict = decide(error, { attempt, partial }, deps)
    if (verdict.kind === 'give up') return { ...completion, error: { ...error, ...verdict.told } }
    deps.onRetry({ attempt, attempts: deps.policy.attempts, waitMs: verdict.waitMs, error, partial })
    const waited = await wait(deps.clock, verdict.waitMs, deps.signal)
    if (!waited) return { ...completion, error: cancelledError() }
  }
}

type Verdict =
  | { readonly kind: 'retry'; readonly waitMs: number }
  | { readonly kind: 'give up'; readonly told: Pick<LlmError, 'message'> & Partial<LlmError> }

function decide(
  error: LlmError,
  { attempt, partial }: { readonly attempt: number; readonly partial: boolean },
  { policy, random, retryPartial }: RetryDeps,
): Verdict {
  const giveUp = (why: string): Verdict => ({
    kind: 'give up',
    told: { message: `${error.message}${attempt > 1 || why !== '' ? ` (${tries(attempt)}${why})` : ''}` },
  })
  if (!error.retryable) return giveUp('')
  if (attempt >= policy.attempts) return giveUp('')
  if (partial && !retryPartial) return giveUp('; not again, because part of the answer was already shown')
  const asked = error.retryAfterMs ?? 0
  if (asked > policy.maxServerWaitMs) {
    return giveUp(
      `; the server asks to wait ${minutes(asked)}, and amber waits ${minutes(policy.maxServerWaitMs)} at most`,
    )
  }
  const ceiling = Math.min(policy.maxBackoffMs, policy.baseMs * 2 ** (attempt - 1))
  return { kind: 'retry', waitMs: Math.max(asked, Math.round(random() * ceiling)) }
}

function tries(attempt: number): string {
  return attempt === 1 ? 'tried once' : `tried ${attempt} times`
}

function minutes(ms: number): string {
  return ms < 60_000 ? `${Math.ceil(ms / 1000)} seconds` : `${Math.ceil(ms / 60_000)} minutes`
}
