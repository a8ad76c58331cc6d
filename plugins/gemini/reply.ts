import type { Completion, LlmError, StreamChunk, WireEvent, WireFailure, WireUsage } from 'amber-agent/sdk'
import { blockedError, malformedCallError, noCandidateError, readFailure } from './failure.ts'
import { createFunctionCalls } from './function-calls.ts'
import { isRecord, type JsonRecord, listOf, parseJson, recordOf, textOf } from './json.ts'
import { createSignedText } from './signed-text.ts'
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
  const calls = createFunctionCalls()
  const signed = createSignedText()
  let text = ''
  let reasoning = ''
  let callCount = 0
  let finishReason = ''
  let finishMessage = ''
  let blocked: LlmError | undefined
  let candidates = 0
  let chunks = 0
  let wire: WireUsage | undefined
  let failure: WireFailure | undefined
  let dropped = 0

  const takeText = (said: string, part: JsonRecord) => {
    if (part.thought === true) {
      reasoning += said
      if (said !== '') onChunk({ type: 'reasoning', delta: said })
      return
    }
    signed.addText(said, part)
    text += said
    if (said !== '') onChunk({ type: 'text', delta: said })
  }
  const takePart = (part: JsonRecord) => {
    if (typeof part.text === 'string') takeText(part.text, part)
    const called = recordOf(part.functionCall)
    if (called === undefined || !calls.take(part)) return
    signed.addCall()
    onChunk({ type: 'toolCallStarted', index: callCount++, name: textOf(called.name) })
  }
  const takeCandidate = (candidate: JsonRecord) => {
    candidates++
    for (const part of listOf(recordOf(candidate.content)?.parts).filter(isRecord)) takePart(part)
    finishReason = textOf(candidate.finishReason) || finishReason
    finishMessage = textOf(candidate.finishMessage) || finishMessage
  }
  const takeChunk = (chunk: JsonRecord) => {
    chunks++
    const read = readWireUsage(chunk.usageMetadata)
    if (read !== undefined) wire = { ...wire, ...read }
    const feedback = recordOf(chunk.promptFeedback)
    const reason = textOf(feedback?.blockReason)
    if (reason !== '') blocked = blockedError(reason, textOf(feedback?.blockReasonMessage))
    for (const candidate of listOf(chunk.candidates).filter(isRecord)) {
      if ((candidate.index ?? 0) === 0) takeCandidate(candidate)
    }
  }
  const ownError = (): LlmError | undefined => {
    if (finishReason === MALFORMED_CALL) return malformedCallError(finishMessage)
    if (candidates > 0) return undefined
    return blocked ?? (chunks > 0 ? noCandidateError() : undefined)
  }

  return {
    take(event) {
      if (event.data.trim() === '[DONE]') return 'goes on'
      const parsed = event.data === '' ? {} : parseJson(event.data)
      const records = (Array.isArray(parsed) ? parsed : [parsed]).filter(isRecord)
      failure = [undefined, ...records].reduce<WireFailure | undefined>(
        (found, record) => found ?? readFailure(event, record),
        undefined,
      )
      if (failure !== undefined) return 'failed'
      if (records.length === 0) dropped++
      for (const record of records) takeChunk(record)
      return 'goes on'
    },
    complete(error) {
      // A connection that broke says more of a reply without a candidate than the reply itself.
      const own =
        failure === undefined && (candidates > 0 || error === undefined || blocked) ? ownError() : undefined
      const whole = finishReason !== ''
      const failed = failure !== undefined || own !== undefined
      const why = own ?? (failure === undefined && !whole ? error : undefined)
      const cut = calls.cut()
      const replay = signed.replay()
      return {
        message: {
          role: 'assistant',
          text,
          ...(reasoning === '' ? {} : { reasoning }),
          toolCalls: calls.whole(),
          ...(replay === undefined ? {} : { replay }),
        },
        finishReason,
        status: failed ? 'error' : whole && cut.length === 0 ? 'complete' : 'incomplete',
        usage: wire === undefined ? undefined : normaliseUsage(wire),
        ...(failure === undefined ? {} : { failure }),
        ...(why === undefined ? {} : { error: why }),
        ...(cut.length === 0 ? {} : { cutCalls: cut }),
        dropped,
      }
    },
  }
}
