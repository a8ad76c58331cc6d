import { type Completion, parseJson, recordOf } from 'amber-agent/sdk'
import { malformedError, readFailure } from './failure.ts'
import { createReply } from './reply.ts'

/** Reads a buffered answer, through the same assembly as a stream, so that both ways agree (PRO-9). */
export function parseCompletion(raw: string): Completion {
  const reply = createReply(() => {})
  const body = recordOf(parseJson(raw))
  if (body !== undefined && Array.isArray(body.content)) reply.takeMessage(body)
  else if (body !== undefined && readFailure({ event: undefined, data: raw }, body) !== undefined) {
    reply.take({ event: undefined, data: raw })
  }
  return reply.complete(malformedError(raw))
}
