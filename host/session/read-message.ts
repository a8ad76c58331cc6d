import {
  type AssistantMessage,
  isRecord,
  type ToolCallRequest,
  type ToolMessage,
  type UserMessage,
} from '../../sdk/index.ts'

/** A message as it is stored. */
export type StoredMessage = UserMessage | AssistantMessage | ToolMessage

type Fields = Readonly<Record<string, unknown>>

/** The message that a stored value is, believed part by part (row D11); undefined when it is none. */
export function readMessage(value: unknown): StoredMessage | undefined {
  if (!isRecord(value)) return undefined
  if (value.role === 'user') return readUser(value)
  if (value.role === 'assistant') return readAssistant(value)
  return value.role === 'tool' ? readTool(value) : undefined
}

function readUser({ text, images }: Fields): UserMessage | undefined {
  if (typeof text !== 'string') return undefined
  const read = listOf(images).flatMap((image) =>
    isRecord(image) && typeof image.mimeType === 'string' && typeof image.base64 === 'string'
      ? [{ mimeType: image.mimeType, base64: image.base64 }]
      : [],
  )
  return { role: 'user', text, ...(read.length === 0 ? {} : { images: read }) }
}

function readAssistant({ text, reasoning, toolCalls, origin, replay }: Fields): AssistantMessage | undefined {
  if (typeof text !== 'string') return undefined
  const from = isRecord(origin) ? origin : {}
  return {
    role: 'assistant',
    text,
    toolCalls: listOf(toolCalls).flatMap((call) => readCall(call) ?? []),
    ...(typeof reasoning === 'string' ? { reasoning } : {}),
    ...(typeof from.flavor === 'string' && typeof from.model === 'string'
      ? { origin: { flavor: from.flavor, model: from.model } }
      : {}),
    ...(replay === undefined ? {} : { replay }),
  }
}

function readCall(value: unknown): ToolCallRequest | undefined {
  if (!isRecord(value) || typeof value.id !== 'string' || typeof value.name !== 'string') return undefined
  const { id, name, cut, replay } = value
  const args = value.arguments
  return {
    id,
    name,
    arguments: typeof args === 'string' ? args : args === undefined ? '' : JSON.stringify(args),
    ...(cut === true ? { cut } : {}),
    ...(replay === undefined ? {} : { replay }),
  }
}

function readTool({ callId, name, ok, text }: Fields): ToolMessage | undefined {
  if (typeof callId !== 'string' || typeof name !== 'string' || typeof text !== 'string') return undefined
  return { role: 'tool', callId, name, ok: ok === true, text }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
