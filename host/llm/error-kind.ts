import type { LlmError } from '../../sdk/index.ts'
import { saysOverflow } from './overflow.ts'
import { saysQuota } from './quota.ts'
import type { ServerWords } from './server-words.ts'

/** A failed request before it is named. */
export interface Failed {
  /** Undefined for an error inside a reply that began well. */
  readonly status: number | undefined
  readonly body: string
  readonly words: ServerWords
}

const AUTH =
  /authentication_error|autherror|invalid_api_key|api_key_invalid|permission_error|unauthenticated|permission_denied/
const AUTH_SENTENCE =
  /api key not valid|invalid api key|incorrect api key|invalid x-api-key|missing api key|unauthorized/i
const RATE = /rate_limit|ratelimit|freeusagelimit|resource_exhausted|too_many_requests|throttl/
const RATE_SENTENCE = /rate.?limit|too many requests/i
const OVERLOADED = /overloaded|unavailable|capacity/
const OVERLOADED_SENTENCE = /overloaded|over capacity|at capacity/i
const NOT_FOUND = /model_not_found|not_found/
const REJECTED =
  /invalid_request|invalid_argument|invalid-argument|badrequest|tool_use_failed|unsupported|unprocessable/

/**
 * Which kind of error a response is (PRO-12). The status decides where it can; the words decide where vendors do not
 * agree on one: a bad key is a 400 at Google, an empty purse a 400 at Anthropic and a 429 at OpenAI.
 */
export function kindOf({ status, body, words }: Failed): LlmError['kind'] {
  const code = status ?? words.status
  if (code === 402) return 'quota'
  if (code === 429) return saysQuota(body) ? 'quota' : 'rate-limit'
  if (code === 401 || code === 403) return saysQuota(body) ? 'quota' : 'auth'
  if (code === 404) return 'not-found'
  if (code === 503 || code === 529) return 'overloaded'
  if (code === undefined || code < 500) return byWords(body, words, code)
  if (words.message.includes('--jinja')) return 'bad-request'
  if (OVERLOADED.test(words.labels) || OVERLOADED_SENTENCE.test(words.message)) return 'overloaded'
  return saysOverflow(words.message) ? 'context-overflow' : 'server'
}

function byWords(body: string, words: ServerWords, code: number | undefined): LlmError['kind'] {
  const { labels, message } = words
  if (AUTH.test(labels) || AUTH_SENTENCE.test(message)) return 'auth'
  if (saysQuota(body)) return 'quota'
  if (RATE.test(labels) || (code === undefined && RATE_SENTENCE.test(message))) return 'rate-limit'
  if (OVERLOADED.test(labels) || (code === undefined && OVERLOADED_SENTENCE.test(message)))
    return 'overloaded'
  if (saysOverflow(`${labels} ${message} ${body.slice(0, 4096)}`)) return 'context-overflow'
  if (NOT_FOUND.test(labels)) return 'not-found'
  if (code === 408 || code === 409) return 'server'
  if (code !== undefined || REJECTED.test(labels)) return 'bad-request'
  return 'server'
}
