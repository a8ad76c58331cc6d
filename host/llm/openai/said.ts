import {
  type AssistantMessage,
  isRecord,
  type JsonRecord,
  recordOf,
  type StreamChunk,
  textOf,
} from '../../../sdk/index.ts'
import { readContent } from './content.ts'
import { createReasoningCollector } from './reasoning.ts'
import { createToolDeltas } from './tool-deltas.ts'

/** What a candidate has said so far. */
export interface Said {
  /** Takes one `choice`: a delta of a stream, or a whole message. */
  take(choice: JsonRecord): void
  message(): AssistantMessage
  /** A refusal is no answer: it stands by itself. */
  refusal(): string
  /** The last that was not empty; some servers send it twice, or a null behind it. */
  finishReason(): string
}

/** Collects one candidate, and tells of each piece as it comes. */
export function createSaid(onChunk: (chunk: StreamChunk) => void): Said {
  const thinking = createReasoningCollector()
  const tools = createToolDeltas()
  let text = ''
  let reasoning = ''
  let refusal = ''
  let finishReason = ''

  const started = (index: number, name: string) => onChunk({ type: 'toolCallStarted', index, name })
  const say = (type: 'text' | 'reasoning', delta: string) => {
    if (delta !== '') onChunk({ type, delta })
    return delta
  }
  return {
    take(choice) {
      // A server that does not stream after all sends one whole message as its only event.
      const delta = recordOf(choice.delta) ?? recordOf(choice.message) ?? {}
      const content = readContent(delta.content)
      reasoning += say('reasoning', thinking.take(delta) + content.reasoning)
      text += say('text', content.text)
      refusal += textOf(delta.refusal)
      tools.take(delta.tool_calls, started)
      // The calls of the protocol's first version, one at a time.
      if (isRecord(delta.function_call)) tools.take([{ function: delta.function_call }], started)
      finishReason = textOf(choice.finish_reason) || finishReason
    },
    message() {
      const replay = thinking.replay()
      return {
        role: 'assistant',
        text,
        ...(reasoning === '' ? {} : { reasoning }),
        toolCalls: tools.calls(),
        ...(replay === undefined ? {} : { replay }),
      }
    },
    refusal: () => refusal,
    finishReason: () => finishReason,
  }
}
