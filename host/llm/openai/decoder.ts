import type {
  ChatRequest,
  Completion,
  LlmError,
  StreamChunk,
  StreamDecoder,
  WireEvent,
  WireFailure,
  WireUsage,
} from '../../../sdk/index.ts'
import { isRecord, type JsonRecord, listOf, parseJson, recordOf, textOf } from '../json.ts'
import { sealCompletion } from '../tool-calls.ts'
import { readContent } from './content.ts'
import { readFailure } from './failure.ts'
import { createReasoningCollector } from './reasoning.ts'
import { createToolDeltas } from './tool-deltas.ts'
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
  const thinking = createReasoningCollector()
  const tools = createToolDeltas()
  let text = ''
  let reasoning = ''
  let refusal = ''
  let finishReason = ''
  let wire: WireUsage | undefined
  let failure: WireFailure | undefined
  let dropped = 0

  const say = (saidText: string, saidReasoning: string) => {
    if (saidReasoning !== '') {
      reasoning += saidReasoning
      onChunk({ type: 'reasoning', delta: saidReasoning })
    }
    if (saidText === '') return
    text += saidText
    onChunk({ type: 'text', delta: saidText })
  }
  const takeChoice = (choice: JsonRecord) => {
    // A server that does not stream after all sends one whole message as its only event.
    const delta = recordOf(choice.delta) ?? recordOf(choice.message) ?? {}
    const content = readContent(delta.content)
    say(content.text, thinking.take(delta) + content.reasoning)
    refusal += textOf(delta.refusal)
    const started = (index: number, name: string) => onChunk({ type: 'toolCallStarted', index, name })
    tools.take(delta.tool_calls, started)
    if (isRecord(delta.function_call)) tools.take([{ function: delta.function_call }], started)
    finishReason = textOf(choice.finish_reason) || finishReason
  }

  return {
    take(event) {
      const body = event.data === '' ? {} : recordOf(parseJson(event.data))
      failure = readFailure(event, body)
      if (body === undefined) {
        if (failure === undefined) dropped++
        return failure === undefined ? 'goes on' : 'failed'
      }
      const usage = findUsage(body)
      if (usage !== undefined) wire = mergeWireUsage(wire, usage)
      for (const item of listOf(body.choices)) {
        const choice = recordOf(item)
        // amber asks for one candidate; where a server sends more, the first is the answer.
        if (choice !== undefined && (choice.index ?? 0) === 0) takeChoice(choice)
      }
      return failure === undefined ? 'goes on' : 'failed'
    },
    complete({ done = false, error }) {
      const terminal = done || finishReason !== ''
      const replay = thinking.replay()
      const broken = failure === undefined && !terminal
      return {
        message: {
          role: 'assistant',
          text,
          ...(reasoning === '' ? {} : { reasoning }),
          toolCalls: tools.calls(),
          ...(replay === undefined ? {} : { replay }),
        },
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
