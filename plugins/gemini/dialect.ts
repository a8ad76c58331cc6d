import { type Dialect, parseJson, recordOf } from 'amber-agent/sdk'
import { authHeaders, chatUrl, modelsUrl } from './address.ts'
import { buildBody } from './body.ts'
import { parseCompletion } from './completion.ts'
import { makeDecoder } from './decoder.ts'
import { contextOverflowHint, isRetryable } from './failure.ts'
import { parseModelList, parseModels } from './models.ts'
import { findUsage, normaliseUsage } from './usage.ts'

/** Google's generateContent protocol (PRO-7). */
export const geminiDialect: Dialect = {
  flavor: 'gemini',
  chatUrl,
  modelsUrl,
  authHeaders,
  buildChatBody: buildBody,
  parseCompletion,
  makeDecoder: (_request, onChunk) => makeDecoder(onChunk),
  parseModels,
  parseModelList,
  parseUsage(raw) {
    const body = recordOf(parseJson(raw))
    const wire = body === undefined ? undefined : findUsage(body)
    return wire === undefined ? undefined : normaliseUsage(wire)
  },
  isRetryable,
  contextOverflowHint,
}
