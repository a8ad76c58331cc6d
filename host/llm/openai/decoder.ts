import {
  type ChatRequest,
  type Completion,
  type LlmError,
  listOf,
  parseJson,
  recordOf,
  type StreamChunk,
  type StreamDecoder,
  type WireEvent,
  type WireFailure,
  type WireUsage,
} from '../../../sdk/index.ts'
import { sealCompletion } from '../tool-calls.ts'
import { readFailure } from './failure.ts'
import { createSaid } from './said.ts'
import { findUsage, mergeWireUsage, normaliseUsage } from './usage.ts'

/**
 * Decodes a stream of chat completion chunks. It is complete when a finish reason or `[DONE]` was seen. The end comes
 * with `[DONE]`, with an error in the stream, or with `finish`, whichever is first, and once (PRO-10).
 */
export function createOpenAiDecoder(
  request: ChatRequest,
  onChunk: (chunk: StreamChunk) => void,
): StreamDecoder {
  const reply = createReply(onChunk)
  let ended = false
  const end = (outcome: { readonly done?: boolean; readonly error?: LlmError }) => {
    if (ended) return
    ended = true
    onChunk({ type: 'end', completion: sealCompletion(reply.complete(outcome), request.messages) })
  }

  return {
    push(event) {
      if (ended) return
      if (event.data.trim() === '[DONE]') end({ done: true })
      else if (reply.take(event) === 'failed') end({})
    },
    finish(error) {
      end(error === undefined ? {} : { error })
    },
  }
}

interface Reply {
  take(event: WireEvent): 'goes on' | 'failed'
  complete(outcome: { readonly done?: boolean; readonly error?: LlmError }): Completion
}

/** What one reply has come to so far. */
function createReply(onChunk: (chunk: StreamChunk) => void): Reply {
  const said = createSaid(onChunk)
  let wire: WireUsage | undefined
  let failure: WireFailure | undefined
  let dropped = 0

  return {
    take(event) {
      const body = event.data === '' ? {} : recordOf(parseJson(event.data))
      failure = readFailure(event, body)
      if (body === undefined && failure === undefined) dropped++
      const usage = body === undefined ? undefined : findUsage(body)
      if (usage !== undefined) wire = mergeWireUsage(wire, usage)
      for (const item of listOf(body?.choices)) {
        const choice = recordOf(item)
        // amber asks for one candidate; where a server sends more, the first is the answer.
        if (choice !== undefined && (choice.index ?? 0) === 0) said.take(choice)
      }
      return failure === undefined ? 'goes on' : 'failed'
    },
    complete({ done = false, error }) {
      const finishReason = said.finishReason()
      const refusal = said.refusal()
      const terminal = done || finishReason !== ''
      const broken = failure === undefined && !terminal
      return {
        message: said.message(),
        finishReason,
        status: failure !== undefined ? 'error' : terminal ? 'complete' : 'incomplete',
        usage: wire === undefined ? undefined : normaliseUsage(wire),
        ...(refusal === '' ? {} : { refusal }),
        ...(failure === undefined ? {} : { failure }),
        ...(broken && error !== undefined ? { error } : {}),
        dropped,
      }
    },
  }
}
