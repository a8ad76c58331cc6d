import {
  type AssistantMessage,
  isRecord,
  listOf,
  parseJson,
  recordOf,
  type ToolCallRequest,
  textOf,
} from 'amber-agent/sdk'
import { generationOf } from './thinking.ts'
import type { WirePart } from './wire-content.ts'

/**
 * Gemini 3 refuses a turn whose first call has no signature: one that another model made, or that was told before
 * signatures were kept. Google names this value for such calls (ai.google.dev, "Thought signatures").
 */
const NO_SIGNATURE = 'skip_thought_signature_validator'

/** What the model said, as parts, each signature on the part that it came on (P2). */
export function writeModel(message: AssistantMessage, model: string): readonly WirePart[] {
  const own = message.origin?.flavor === 'gemini'
  const strict = generationOf(model) >= 3
  const calls = message.toolCalls.map((call, at) => writeCall(call, { own, strict: strict && at === 0 }))
  const texts = own ? replayedParts(message) : undefined
  if (texts === undefined) {
    return [...(message.text.trim() === '' ? [] : [{ text: message.text }]), ...calls]
  }
  return inOldOrder(texts, calls)
}

/** The id that the wire itself gave a call; `''` when amber made it. */
export function wireIdOf(call: ToolCallRequest): string {
  return textOf(recordOf(call.replay)?.id)
}

/** The signed texts as they came, when the text is still what came; else undefined. */
function replayedParts(message: AssistantMessage): readonly WirePart[] | undefined {
  const parts = listOf(recordOf(message.replay)?.parts).filter(isRecord)
  const text = parts.map((part) => textOf(part.text)).join('')
  return parts.length > 0 && text === message.text ? parts : undefined
}

/** Texts and calls in the order in which they came; the calls behind the texts when their number changed since. */
function inOldOrder(parts: readonly WirePart[], calls: readonly WirePart[]): readonly WirePart[] {
  const texts = parts.filter((part) => part.call !== true)
  if (parts.length - texts.length !== calls.length) return [...texts, ...calls]
  let next = 0
  return parts.flatMap((part) => (part.call === true ? calls.slice(next, ++next) : [part]))
}

function writeCall(
  call: ToolCallRequest,
  { own, strict }: { readonly own: boolean; readonly strict: boolean },
): WirePart {
  const id = own ? wireIdOf(call) : ''
  const signature = own ? textOf(recordOf(call.replay)?.thoughtSignature) : ''
  const thoughtSignature = signature || (strict ? NO_SIGNATURE : '')
  return {
    functionCall: {
      ...(id === '' ? {} : { id }),
      name: call.name,
      args: recordOf(parseJson(call.arguments)) ?? {},
    },
    ...(thoughtSignature === '' ? {} : { thoughtSignature }),
  }
}
