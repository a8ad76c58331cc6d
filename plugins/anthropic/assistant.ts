import {
  type AssistantMessage,
  isRecord,
  listOf,
  parseJson,
  recordOf,
  type ToolCallRequest,
  textOf,
} from 'amber-agent/sdk'
import type { WireBlock } from './wire-message.ts'

/**
 * What the model said, as blocks. Thinking goes back, signature and all, to the very model that wrote it and to no
 * other; between its texts and calls it stands where it stood. No empty text block (P12).
 */
export function writeAssistant(message: AssistantMessage, model: string): readonly WireBlock[] {
  const said = message.text.trim() === '' ? [] : [{ type: 'text', text: message.text }]
  const calls = message.toolCalls.map(writeCall)
  const replayed = replayedBlocks(message, model)
  return (
    inOldOrder(message, replayed, calls) ?? [
      ...replayed.filter((block) => isThought(block)),
      ...said,
      ...calls,
    ]
  )
}

/** Whether a message's turn may go on with thinking switched on: it has thinking that this model can read again. */
export function hasReplayableThinking(message: AssistantMessage, model: string): boolean {
  return replayedBlocks(message, model).some(isThought)
}

function replayedBlocks({ origin, replay }: AssistantMessage, model: string): readonly WireBlock[] {
  if (origin?.flavor !== 'anthropic' || origin.model !== model) return []
  return listOf(recordOf(replay)?.blocks).filter(isRecord)
}

function isThought({ type }: WireBlock): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

/** The blocks in the order in which they came, when text and calls are still those that came; else undefined. */
function inOldOrder(
  message: AssistantMessage,
  replayed: readonly WireBlock[],
  calls: readonly WireBlock[],
): readonly WireBlock[] | undefined {
  if (replayed.length === 0) return undefined
  const texts = replayed.filter(({ type }) => type === 'text')
  const uses = replayed.filter(({ type }) => type === 'tool_use')
  if (texts.map(({ text }) => textOf(text)).join('') !== message.text) return undefined
  if (uses.length !== calls.length || uses.some(({ id }, at) => id !== calls[at]?.id)) return undefined
  let next = 0
  return replayed.flatMap((block): readonly WireBlock[] => {
    if (block.type === 'tool_use') return calls.slice(next, ++next)
    if (block.type === 'text') return textOf(block.text).trim() === '' ? [] : [block]
    return isThought(block) ? [block] : []
  })
}

function writeCall(call: ToolCallRequest): WireBlock {
  return {
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: recordOf(parseJson(call.arguments)) ?? {},
  }
}
