import { type Completion, isRecord, type JsonRecord, parseJson } from 'amber-agent/sdk'
import { malformedError } from './failure.ts'
import { createReply } from './reply.ts'

/**
 * Reads a buffered answer, one object or a list of chunks (a stream that was asked for without `alt=sse`), through the
 * same assembly as a stream, so that both ways agree (PRO-9).
 */
export function parseCompletion(raw: string): Completion {
  const reply = createReply(() => {})
  const parsed = parseJson(raw)
  const chunks = (Array.isArray(parsed) ? parsed : [parsed]).filter(isRecord)
  const readable = chunks.length > 0 && chunks.every(isAnswer)
  if (readable) reply.take({ event: undefined, data: raw })
  return reply.complete(readable ? undefined : malformedError(raw))
}

/** `{}` is one, of no candidate (P9). */
function isAnswer(chunk: JsonRecord): boolean {
  const names = ['candidates', 'promptFeedback', 'usageMetadata', 'error', 'responseId']
  return names.some((name) => name in chunk) || Object.keys(chunk).length === 0
}
