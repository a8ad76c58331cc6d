import {
  type AssistantMessage,
  isRecord,
  type Message,
  parseJson,
  type ToolCallRequest,
  type ToolMessage,
} from '../../sdk/index.ts'
import { pairCalls } from './pairing.ts'
import { uniqueId } from './tool-calls.ts'
import { wellFormed, wellFormedData } from './well-formed.ts'

/** Who is about to read the history. */
export interface HistoryReader {
  readonly flavor: string
  readonly model: string
}

/**
 * The conversation as any protocol accepts it, made new on every send (bundled-plugins 4): calls and results paired
 * (P15, P16), empty messages gone (P12, P18), arguments JSON objects (P19, D12), ids legal and unique on both halves
 * (P17), no lone surrogate (P22), no blank at the end of an assistant's last word (P14). The stored one is not touched.
 */
export function normaliseHistory(messages: readonly Message[], reader: HistoryReader): readonly Message[] {
  const paired = pairCalls(messages.filter(saysSomething))
  return trimLast(rewriteIds(paired.map(clean), reader))
}

function saysSomething(message: Message): boolean {
  switch (message.role) {
    case 'system':
      return message.text.trim() !== ''
    case 'user':
      return message.text.trim() !== '' || (message.images?.length ?? 0) > 0
    case 'assistant':
      return message.text.trim() !== '' || message.toolCalls.length > 0
    case 'tool':
      return true
  }
}

function clean(message: Message): Message {
  if (message.role === 'assistant') return cleanAssistant(message)
  if (message.role !== 'tool') return { ...message, text: wellFormed(message.text) }
  // A result of no text is refused by some servers, and tells a model nothing.
  return { ...message, text: wellFormed(message.text) || '(no output)' }
}

function cleanAssistant(message: AssistantMessage): AssistantMessage {
  return {
    ...message,
    text: message.text.trim() === '' ? '' : wellFormed(message.text),
    ...(message.reasoning === undefined ? {} : { reasoning: wellFormed(message.reasoning) }),
    toolCalls: message.toolCalls.map((call) => ({ ...call, arguments: argumentObject(call.arguments) })),
  }
}

/** Arguments that every protocol can carry: the JSON of an object. What is none is repaired to `{}`, its result stays. */
function argumentObject(text: string): string {
  let value = parseJson(text)
  // A model sometimes encodes twice.
  if (typeof value === 'string') value = parseJson(value)
  if (!isRecord(value)) return '{}'
  const suspect = /\\u[dD][89a-fA-F]/.test(text) || wellFormed(text) !== text
  if (suspect) return JSON.stringify(wellFormedData(value))
  return text.trimStart().startsWith('{') ? text : JSON.stringify(value)
}

const LEGAL_ID = /^[a-zA-Z0-9_-]{0,39}[a-zA-Z0-9-]$/

/**
 * An id that another model's server made may be illegal here: it is rewritten, the same on call and result. A model
 * gets its own ids back as they were. An id that stands twice is made new.
 */
function rewriteIds(messages: readonly Message[], reader: HistoryReader): readonly Message[] {
  const used = new Set<string>()
  let current = new Map<string, string>()
  return messages.map((message) => {
    if (message.role === 'assistant') {
      const own = message.origin?.flavor === reader.flavor && message.origin.model === reader.model
      current = new Map()
      return {
        ...message,
        toolCalls: message.toolCalls.map((call) => rewriteCall(call, { own, used, current })),
      }
    }
    return message.role === 'tool' ? rewriteResult(message, current) : message
  })
}

function rewriteCall(
  call: ToolCallRequest,
  { own, used, current }: { own: boolean; used: Set<string>; current: Map<string, string> },
): ToolCallRequest {
  const legal = (own && call.id !== '') || LEGAL_ID.test(call.id) ? call.id : legalId(call.id)
  const id = uniqueId(legal, used)
  used.add(id)
  current.set(call.id, id)
  return id === call.id ? call : { ...call, id }
}

function rewriteResult(message: ToolMessage, current: ReadonlyMap<string, string>): ToolMessage {
  const id = current.get(message.callId) ?? message.callId
  return id === message.callId ? message : { ...message, callId: id }
}

function legalId(id: string): string {
  return id
    .replace(/[^a-zA-Z0-9_-]/g, '_')
    .slice(0, 32)
    .replace(/_+$/, '')
}

function trimLast(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return messages
  return [...messages.slice(0, -1), { ...last, text: last.text.trimEnd() }]
}
