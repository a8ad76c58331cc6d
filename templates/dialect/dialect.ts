import type { Dialect } from 'amber-agent/sdk'
import { createReply, modelsIn, objectIn, usageIn } from './reply.ts'

/** The protocol: no function of it reaches for anything, and none ever throws. */
export const dialect: Dialect = {
  flavor: 'template_dialect',
  chatUrl: ({ apiBase }) => `${apiBase}/talk`,
  modelsUrl: ({ apiBase }) => `${apiBase}/models`,
  authHeaders: ({ apiKey }) => Object.fromEntries(apiKey === '' ? [] : [['x-api-key', apiKey]]),
  buildChatBody: ({ model }, { messages, tools, stream }) => ({ model, stream, tools, talk: messages }),
  parseCompletion(raw) {
    const reply = createReply()
    const parts = objectIn(raw)?.parts
    for (const part of Array.isArray(parts) ? parts : [raw]) reply.take(objectIn(JSON.stringify(part)))
    return reply.completion()
  },
  makeDecoder(_request, onChunk) {
    const reply = createReply()
    let ended = false
    return {
      push({ data }) {
        const delta = reply.take(objectIn(data))
        if (delta !== '' && !ended) onChunk({ type: 'text', delta })
      },
      finish(error) {
        if (ended) return
        ended = true
        const completion = reply.completion()
        onChunk({
          type: 'end',
          completion: error === undefined ? completion : { ...completion, status: 'error', error },
        })
      },
    }
  },
  parseModels: (body, model) => modelsIn(body).find(({ id }) => id === model),
  parseModelList: (body) => modelsIn(body),
  parseUsage: (raw) => usageIn(objectIn(raw)?.tokens),
  isRetryable: (status) => status === 429 || status >= 500,
  contextOverflowHint: (body) => Number(/at most (\d+) tokens/.exec(body)?.[1]) || undefined,
}
