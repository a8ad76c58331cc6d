import {
  type Completion,
  isRecord,
  type JsonRecord,
  type LlmError,
  listOf,
  parseJson,
  recordOf,
  type StreamChunk,
  textOf,
  type WireEvent,
  type WireFailure,
  type WireUsage,
} from 'amber-agent/sdk'
import { createCandidate } from './candidate.ts'
import { blockedError, malformedCallError, noCandidateError, readFailure } from './failure.ts'
import { normaliseUsage, readWireUsage } from './usage.ts'

/** What one reply has come to so far. */
export interface Reply {
  take(event: WireEvent): 'goes on' | 'failed'
  complete(error: LlmError | undefined): Completion
}

const MALFORMED_CALL = 'MALFORMED_FUNCTION_CALL'

/**
 * Begins a reply. Every chunk may carry a finish reason and text may follow one, so only the end of the stream is the
 * end. Of several candidates the first is the answer: amber asks for one.
 */
export function createReply(onChunk: (chunk: StreamChunk) => void): Reply {
  const answer = createCandidate(onChunk)
  let blocked: LlmError | undefined
  let chunks = 0
  let wire: WireUsage | undefined
  let failure: WireFailure | undefined
  let dropped = 0

  const takeChunk = (chunk: JsonRecord) => {
    chunks++
    const read = readWireUsage(chunk.usageMetadata)
    if (read !== undefined) wire = { ...wire, ...read }
    blocked = readBlock(chunk.promptFeedback) ?? blocked
    for (const candidate of listOf(chunk.candidates).filter(isRecord)) {
      if ((candidate.index ?? 0) === 0) answer.take(candidate)
    }
  }
  /** What the reply itself says went wrong; a broken connection says more of one without a candidate. */
  const ownError = (error: LlmError | undefined): LlmError | undefined => {
    const { reason, message } = answer.finish()
    if (reason === MALFORMED_CALL) return malformedCallError(message)
    if (answer.begun()) return undefined
    return blocked ?? (chunks > 0 && error === undefined ? noCandidateError() : undefined)
  }

  return {
    take(event) {
      if (event.data.trim() === '[DONE]') return 'goes on'
      const records = readRecords(event.data)
      failure = findFailure(event, records)
      if (failure !== undefined) return 'failed'
      if (records.length === 0) dropped++
      for (const record of records) takeChunk(record)
      return 'goes on'
    },
    complete(error) {
      const own = failure === undefined ? ownError(error) : undefined
      const finishReason = answer.finish().reason
      const cut = answer.cut()
      const why = own ?? (failure === undefined && finishReason === '' ? error : undefined)
      const whole = finishReason !== '' && cut.length === 0
      return {
        message: answer.message(),
        finishReason,
        status: failure !== undefined || own !== undefined ? 'error' : whole ? 'complete' : 'incomplete',
        usage: wire === undefined ? undefined : normaliseUsage(wire),
        ...(failure === undefined ? {} : { failure }),
        ...(why === undefined ? {} : { error: why }),
        ...(cut.length === 0 ? {} : { cutCalls: cut }),
        dropped,
      }
    },
  }
}

/** A chunk, or the list of chunks that a server sends when it does not stream. */
function readRecords(data: string): readonly JsonRecord[] {
  const parsed = data === '' ? {} : parseJson(data)
  return (Array.isArray(parsed) ? parsed : [parsed]).filter(isRecord)
}

function findFailure(event: WireEvent, records: readonly JsonRecord[]): WireFailure | undefined {
  const readings = [undefined, ...records].map((record) => readFailure(event, record))
  return readings.find((reading) => reading !== undefined)
}

function readBlock(promptFeedback: unknown): LlmError | undefined {
  const feedback = recordOf(promptFeedback)
  const reason = textOf(feedback?.blockReason)
  return reason === '' ? undefined : blockedError(reason, textOf(feedback?.blockReasonMessage))
}
