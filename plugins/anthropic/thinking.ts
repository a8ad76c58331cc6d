import type { DialectConfig, Message } from 'amber-agent/sdk'
import { hasReplayableThinking } from './assistant.ts'

/** How much a reply may be and think: members of the request's body. `max_tokens` the API insists on. */
export interface ReplyLimits {
  readonly max_tokens: number
  readonly thinking?: Readonly<Record<string, unknown>>
  readonly output_config?: Readonly<Record<string, unknown>>
}

/** Tokens of thinking by effort; the API takes no fewer than 1024. */
const BUDGETS = { low: 4096, medium: 8192, high: 16_384 } as const
const LEAST_BUDGET = 1024
/** Tokens that stay for the answer itself when the user's own limit is tight. */
const LEAST_ANSWER = 1024
/** All models since Claude 3.7 can write as much. */
const MOST_TOKENS = 32_000

/**
 * The reply's limits. Models before 4.6 take a budget of thinking tokens, later ones an effort and think as they see
 * fit (platform.claude.com, "Adaptive thinking"); models before 3.7 do not think.
 */
export function replyLimits(config: DialectConfig, conversation: readonly Message[]): ReplyLimits {
  const max = config.maxOutputTokens ?? mostTokens(config.model)
  const effort = config.reasoningEffort
  if (effort === undefined || effort === 'off') return { max_tokens: max }
  const version = versionOf(config.model)
  if (version !== undefined && version >= 4.06) {
    return { max_tokens: max, thinking: { type: 'adaptive' }, output_config: { effort } }
  }
  const budget = Math.min(BUDGETS[effort], max - LEAST_ANSWER)
  const able = version === undefined || version >= 3.07
  if (!able || budget < LEAST_BUDGET || !turnBeganWithThinking(conversation, config.model)) {
    return { max_tokens: max }
  }
  return { max_tokens: max, thinking: { type: 'enabled', budget_tokens: budget } }
}

/**
 * With a budget the API refuses to go on with a turn of tool calls that did not begin with thinking: another model
 * wrote it, or thinking was switched on in the middle of it.
 */
function turnBeganWithThinking(conversation: readonly Message[], model: string): boolean {
  const start = conversation.findLastIndex(({ role }) => role === 'user') + 1
  const first = conversation.slice(start).find((message) => message.role === 'assistant')
  return first === undefined || first.role !== 'assistant' || hasReplayableThinking(first, model)
}

/** The oldest models write less than the rest, and refuse a request for more. */
function mostTokens(model: string): number {
  const version = versionOf(model) ?? 4
  if (version < 3.05) return 4096
  return version < 3.07 ? 8192 : MOST_TOKENS
}

/** `claude-sonnet-4-5-20250929` is 4.05, `claude-3-7-sonnet` 3.07; undefined for a model of another house. */
function versionOf(model: string): number | undefined {
  const name = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(model)
  if (name === null) return /claude-[a-z]+-preview/.test(model) ? 5 : undefined
  return Number(name[1]) + Number(name[2] ?? 0) / 100
}
