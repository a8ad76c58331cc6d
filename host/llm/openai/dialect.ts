import { type Dialect, type DialectConfig, parseJson, recordOf } from '../../../sdk/index.ts'
import { readOverflowNumbers, saysOverflow } from '../overflow.ts'
import { saysQuota } from '../quota.ts'
import { joinUrl } from '../url.ts'
import { buildOpenAiBody } from './body.ts'
import { parseOpenAiCompletion } from './completion.ts'
import { createOpenAiDecoder } from './decoder.ts'
import { parseOpenAiModelList } from './models.ts'
import { findUsage, normaliseUsage, readWireUsage } from './usage.ts'

/** The OpenAI chat completions protocol (PRO-7), for every server that speaks it. */
export const openAiDialect: Dialect = {
  flavor: 'openai',
  chatUrl: (config) => joinUrl(config.apiBase, 'chat/completions'),
  modelsUrl: (config) => joinUrl(config.apiBase, 'models'),
  authHeaders,
  buildChatBody: buildOpenAiBody,
  parseCompletion: parseOpenAiCompletion,
  makeDecoder: createOpenAiDecoder,
  parseModels: (body, model) => parseOpenAiModelList(body).find((entry) => entry.id === model),
  parseModelList: parseOpenAiModelList,
  parseUsage(raw) {
    const body = recordOf(parseJson(raw))
    if (body === undefined) return undefined
    const wire = findUsage(body) ?? ('prompt_tokens' in body ? readWireUsage(body) : undefined)
    return wire === undefined ? undefined : normaliseUsage(wire)
  },
  isRetryable,
  contextOverflowHint(body) {
    return saysOverflow(body) ? readOverflowNumbers(body).limit : undefined
  },
}

/** No header at all without a key (PRO-13). */
function authHeaders(config: DialectConfig): Readonly<Record<string, string>> {
  const key = config.apiKey.trim()
  return key === '' ? {} : { authorization: `Bearer ${key}` }
}

/** 408, 409, 429 unless money is the reason (R4), 5xx, and a 400 whose body is an event stream with nothing in it. */
function isRetryable(status: number, body: string): boolean {
  if (status === 400) return isEmptyStream(body)
  if (status === 429) return !saysQuota(body)
  // llama.cpp answers 500 when it was started without its template engine; asking again changes nothing.
  if (status >= 500 && body.includes('--jinja')) return false
  return status === 408 || status === 409 || (status >= 500 && status <= 599)
}

function isEmptyStream(body: string): boolean {
  if (body.length > 64 * 1024) return false
  return body
    .split(/\r\n|\r|\n/)
    .every((line) => /^(:.*|event:.*|id:.*|retry:.*|data:\s*(\[DONE\])?\s*|\s*)$/.test(line))
}
