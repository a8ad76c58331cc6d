import type {
  AssistantMessage,
  Message,
  SystemMessage,
  ToolCallRequest,
  ToolMessage,
  UserMessage,
} from 'amber-agent/sdk'
import { wireIdOf, writeModel } from './model-parts.ts'
import type { WireContent, WirePart } from './wire-content.ts'

/** What may stand in front when a conversation begins with the model, which the API refuses. */
const OPENING = '(The conversation goes on.)'

/**
 * The conversation as the API takes it: all results of a turn in ONE content, 1:1 with the calls, right behind them
 * (P7); what the user says is a content of its own.
 */
export function writeContents(
  conversation: readonly Exclude<Message, SystemMessage>[],
  model: string,
): readonly WireContent[] {
  const written: WireContent[] = []
  let calls: readonly ToolCallRequest[] = []
  if (conversation[0]?.role === 'assistant') written.push({ role: 'user', parts: [{ text: OPENING }] })
  for (const message of conversation) {
    if (message.role === 'user') push(written, 'user', writeUser(message))
    else if (message.role === 'assistant') {
      calls = message.toolCalls
      addModel(written, message, model)
    } else addResult(written, message, calls)
  }
  return written
}

/** Puts marked texts at the end of the last user message; behind results they are a content of their own (P7). */
export function appendToUser(
  contents: readonly WireContent[],
  parts: readonly WirePart[],
): readonly WireContent[] {
  if (parts.length === 0) return contents
  const at = contents.findLastIndex(({ role }) => role === 'user')
  const last = contents[at]
  if (last === undefined) return [{ role: 'user', parts }, ...contents]
  const next = holdsResults(last)
    ? [last, { role: 'user' as const, parts }]
    : [{ ...last, parts: [...last.parts, ...parts] }]
  return [...contents.slice(0, at), ...next, ...contents.slice(at + 1)]
}

function push(written: WireContent[], role: WireContent['role'], parts: readonly WirePart[]): void {
  if (parts.length > 0) written.push({ role, parts })
}

/** Two replies in a row are one turn of the model. */
function addModel(written: WireContent[], message: AssistantMessage, model: string): void {
  const parts = writeModel(message, model)
  const last = written.at(-1)
  if (last?.role !== 'model') push(written, 'model', parts)
  else written[written.length - 1] = { role: 'model', parts: [...last.parts, ...parts] }
}

function addResult(written: WireContent[], message: ToolMessage, calls: readonly ToolCallRequest[]): void {
  const part = writeResult(message, calls)
  const last = written.at(-1)
  if (last?.role === 'user' && holdsResults(last)) {
    written[written.length - 1] = { role: 'user', parts: [...last.parts, part] }
  } else written.push({ role: 'user', parts: [part] })
}

function holdsResults({ parts }: WireContent): boolean {
  return parts.some((part) => 'functionResponse' in part)
}

/** The name is the call's own, whatever the id was made of (P6); an id goes only where the wire had one. */
function writeResult(message: ToolMessage, calls: readonly ToolCallRequest[]): WirePart {
  const call = calls.find(({ id }) => id === message.callId)
  const id = call === undefined ? '' : wireIdOf(call)
  return {
    functionResponse: {
      ...(id === '' ? {} : { id }),
      name: message.name || call?.name || '',
      response: message.ok ? { output: message.text } : { error: message.text },
    },
  }
}

function writeUser(message: UserMessage): readonly WirePart[] {
  const images = (message.images ?? []).map(({ mimeType, base64 }) => ({
    inlineData: { mimeType, data: base64 },
  }))
  return message.text.trim() === '' ? images : [{ text: message.text }, ...images]
}
