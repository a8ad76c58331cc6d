import type { AssistantMessage, StreamChunk } from '../../sdk/index.ts'

/** Keeps one key out of what a server answers: some repeat what they were sent, and a session is written down (PRO-13). */
export interface KeyGuard {
  /** Hands a stream's chunks on without the key, which may be cut anywhere between them. */
  stream(onChunk: (chunk: StreamChunk) => void): GuardedStream
  /** The message without the key; the very same object when it is not in there. */
  message(message: AssistantMessage): AssistantMessage
}

/** One stream on its way. */
export interface GuardedStream {
  take(chunk: StreamChunk): void
  /** The stream ended: what was held back to see whether it becomes the key is handed on. */
  end(): void
}

const MASK = '[key]'
/** Shorter ones are no secrets (`ollama`, `no-key`), and may be words of an answer. */
const LEAST_LENGTH = 16

/** Makes a guard; without a key worth guarding it changes nothing and costs nothing. */
export function createKeyGuard(key: string): KeyGuard {
  if (key.length < LEAST_LENGTH) {
    return { stream: (onChunk) => ({ take: onChunk, end: () => {} }), message: (message) => message }
  }
  const escaped = JSON.stringify(key).slice(1, -1)
  const clean = (text: string) => text.replaceAll(key, MASK)
  return {
    stream: (onChunk) => guardStream(key, onChunk),
    message(message) {
      if (!JSON.stringify(message).includes(escaped)) return message
      const { replay: _, reasoning, ...rest } = message
      return {
        ...rest,
        text: clean(message.text),
        ...(reasoning === undefined ? {} : { reasoning: clean(reasoning) }),
        toolCalls: message.toolCalls.map(({ replay: _signed, ...call }) => ({
          ...call,
          arguments: clean(call.arguments).replaceAll(escaped, MASK),
        })),
      }
    },
  }
}

function guardStream(key: string, onChunk: (chunk: StreamChunk) => void): GuardedStream {
  const first = key.charAt(0)
  let held = ''
  let heldType: 'text' | 'reasoning' = 'text'
  const release = () => {
    const delta = held
    held = ''
    if (delta !== '') onChunk({ type: heldType, delta })
  }
  return {
    take(chunk) {
      if (chunk.type !== 'text' && chunk.type !== 'reasoning') {
        release()
        onChunk(chunk)
        return
      }
      if (held !== '' && chunk.type !== heldType) release()
      if (held === '' && !chunk.delta.includes(first)) {
        onChunk(chunk)
        return
      }
      const text = (held + chunk.delta).replaceAll(key, MASK)
      const keep = beginningAtEnd(text, key)
      held = text.slice(text.length - keep)
      heldType = chunk.type
      const delta = text.slice(0, text.length - keep)
      if (delta !== '') onChunk({ type: chunk.type, delta })
    },
    end: release,
  }
}

/** How many of the last characters of a text could be the beginning of the key. */
function beginningAtEnd(text: string, key: string): number {
  for (let length = Math.min(text.length, key.length - 1); length > 0; length--) {
    if (text.endsWith(key.slice(0, length))) return length
  }
  return 0
}
