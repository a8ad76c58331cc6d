import type { Message, SystemMessage, ToolMessage, UserMessage } from 'amber-agent/sdk'
import { writeAssistant } from './assistant.ts'
import type { WireBlock, WireMessage } from './wire-message.ts'

/** What may stand in front when a conversation begins with the model, which the API refuses. */
const OPENING = '(The conversation goes on.)'

/**
 * The conversation as the API takes it: neighbours of one role are one message, so all results of a turn stand in ONE
 * user message, in call order, and what the user says next stands behind them (bundled-plugins 4, P7).
 */
export function writeMessages(
  conversation: readonly Exclude<Message, SystemMessage>[],
  model: string,
): readonly WireMessage[] {
  const written: WireMessage[] = []
  if (conversation[0]?.role === 'assistant') add(written, 'user', [{ type: 'text', text: OPENING }])
  for (const message of conversation) {
    if (message.role === 'assistant') add(written, 'assistant', writeAssistant(message, model))
    else add(written, 'user', message.role === 'tool' ? [writeResult(message)] : writeUser(message))
  }
  return written
}

/** Puts blocks at the end of the last user message, or in one of their own when there is none. */
export function appendToUser(
  messages: readonly WireMessage[],
  blocks: readonly WireBlock[],
): readonly WireMessage[] {
  if (blocks.length === 0) return messages
  const at = messages.findLastIndex(({ role }) => role === 'user')
  if (at < 0) return [{ role: 'user', content: blocks }, ...messages]
  return messages.map((message, index) =>
    index === at ? { ...message, content: [...message.content, ...blocks] } : message,
  )
}

function add(written: WireMessage[], role: WireMessage['role'], content: readonly WireBlock[]): void {
  const last = written.at(-1)
  if (content.length === 0) return
  if (last?.role === role) written[written.length - 1] = { role, content: [...last.content, ...content] }
  else written.push({ role, content })
}

function writeUser(message: UserMessage): readonly WireBlock[] {
  const images = (message.images ?? []).map(({ mimeType, base64 }) => ({
    type: 'image',
    source: { type: 'base64', media_type: mimeType, data: base64 },
  }))
  return message.text.trim() === '' ? images : [...images, { type: 'text', text: message.text }]
}

function writeResult(message: ToolMessage): WireBlock {
  return {
    type: 'tool_result',
    tool_use_id: message.callId,
    content: message.text,
    ...(message.ok ? {} : { is_error: true }),
  }
}
