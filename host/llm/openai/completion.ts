import {
  type ChatRequest,
  type Completion,
  type LlmError,
  listOf,
  parseJson,
  recordOf,
} from '../../../sdk/index.ts'
import { createOpenAiDecoder } from './decoder.ts'

const SNIPPET_CHARACTERS = 200

/**
 * Reads a buffered answer. It goes through the streaming decoder as one whole event, so that both ways agree (PRO-9).
 * A body that is no answer becomes a `protocol` error with a snippet (PRO-10).
 */
export function parseOpenAiCompletion(raw: string, request: ChatRequest): Completion {
  const body = recordOf(parseJson(raw))
  const readable =
    body !== undefined && (Array.isArray(body.choices) || 'error' in body || body.object === 'error')
  let completion: Completion | undefined
  const decoder = createOpenAiDecoder(request, (chunk) => {
    if (chunk.type === 'end') completion = chunk.completion
  })
  if (readable) decoder.push({ event: undefined, data: raw })
  // A body is whole when it parses: some servers leave the finish reason out of it.
  if (readable && listOf(body.choices).length > 0) decoder.push({ event: undefined, data: '[DONE]' })
  decoder.finish(malformed(raw))
  return completion ?? emptyCompletion(malformed(raw))
}

function malformed(raw: string): LlmError {
  const snippet = raw.trim().slice(0, SNIPPET_CHARACTERS)
  return {
    kind: 'protocol',
    retryable: false,
    message:
      snippet === ''
        ? 'The server answered with an empty body.'
        : `The server's answer is no chat completion; it begins: ${snippet}`,
    hint: 'Check that the API base is the address of an OpenAI-compatible API; most end in /v1.',
  }
}

function emptyCompletion(error: LlmError): Completion {
  return {
    message: { role: 'assistant', text: '', toolCalls: [] },
    finishReason: '',
    status: 'incomplete',
    usage: undefined,
    error,
    dropped: 0,
  }
}
