import {
  type AssistantMessage,
  isRecord,
  type JsonRecord,
  listOf,
  recordOf,
  type StreamChunk,
  type ToolCallRequest,
  textOf,
} from 'amber-agent/sdk'
import { createFunctionCalls } from './function-calls.ts'
import { createSignedText } from './signed-text.ts'

/** The one answer of a reply, put together from what its chunks bring of it. */
export interface Candidate {
  take(candidate: JsonRecord): void
  /** Whether anything of it came at all. */
  begun(): boolean
  /** The last reason that a chunk gave, and what it said of it; `''` when none did. */
  finish(): { readonly reason: string; readonly message: string }
  message(): AssistantMessage
  /** Calls whose end never came. */
  cut(): readonly ToolCallRequest[]
}

/** Begins an answer; text, thinking and calls are told as they come. */
export function createCandidate(onChunk: (chunk: StreamChunk) => void): Candidate {
  const calls = createFunctionCalls()
  const signed = createSignedText()
  let text = ''
  let reasoning = ''
  let callCount = 0
  let begun = false
  let finish = { reason: '', message: '' }

  const takeText = (said: string, part: JsonRecord) => {
    const thought = part.thought === true
    if (thought) reasoning += said
    else {
      signed.addText(said, part)
      text += said
    }
    if (said !== '') onChunk({ type: thought ? 'reasoning' : 'text', delta: said })
  }
  const takePart = (part: JsonRecord) => {
    if (typeof part.text === 'string') takeText(part.text, part)
    const called = recordOf(part.functionCall)
    if (called === undefined || !calls.take(part)) return
    signed.addCall()
    onChunk({ type: 'toolCallStarted', index: callCount++, name: textOf(called.name) })
  }

  return {
    take(candidate) {
      begun = true
      for (const part of listOf(recordOf(candidate.content)?.parts).filter(isRecord)) takePart(part)
      finish = {
        reason: textOf(candidate.finishReason) || finish.reason,
        message: textOf(candidate.finishMessage) || finish.message,
      }
    },
    begun: () => begun,
    finish: () => finish,
    message() {
      const replay = signed.replay()
      return {
        role: 'assistant',
        text,
        ...(reasoning === '' ? {} : { reasoning }),
        toolCalls: calls.whole(),
        ...(replay === undefined ? {} : { replay }),
      }
    },
    cut: () => calls.cut(),
  }
}
