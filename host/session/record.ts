import { isRecord, type Message, type Todo } from '../../sdk/index.ts'
import { wellFormed } from '../base/text-limit.ts'
import { readMessage, type StoredMessage } from './read-message.ts'
import { readTodos } from './todos.ts'

/** The version of the format that this amber writes, and the newest that it reads. */
export const SESSION_VERSION = 1

/** The first line of a session's file. */
export interface SessionHeader {
  readonly type: 'session'
  readonly version: number
  readonly id: string
  /** ISO 8601. */
  readonly created: string
  /** The workspace's real path. */
  readonly workspace: string
  /** The version of amber that began it. */
  readonly amber: string
  readonly provider: string
  readonly model: string
  /** The session that it was forked from. */
  readonly parent?: string
}

/** Every other line. `at` is ISO 8601. */
export type SessionRecord =
  | {
      readonly type: 'message'
      readonly at: string
      /** The message begins the turn of this id. */
      readonly turn?: string
      readonly message: StoredMessage
    }
  /** From here on the model gets `summary` in the place of all but the newest `kept` messages before this line. */
  | { readonly type: 'compression'; readonly at: string; readonly kept: number; readonly summary: string }
  /** The newest `dropped` messages before this line count no more. */
  | { readonly type: 'rewind'; readonly at: string; readonly dropped: number }
  | { readonly type: 'todos'; readonly at: string; readonly todos: readonly Todo[] }
  | { readonly type: 'title'; readonly at: string; readonly title: string }
  /** Who answers from here on. */
  | { readonly type: 'model'; readonly at: string; readonly provider: string; readonly model: string }

/** One line of a file: JSON on ONE physical line whatever the texts hold (N4), with no half character (P22). */
export function encodeLine(record: SessionHeader | SessionRecord): string {
  const json = JSON.stringify(record)
  // JSON.stringify writes an escape of this range for a lone surrogate only; a backslash of the text is doubled.
  const sound = /\\ud[89a-f]/.test(json) ? JSON.stringify(record, soundText) : json
  return `${sound.replace(/[\u2028\u2029]/g, escapeSeparator)}\n`
}

const soundText = (_key: string, value: unknown) => (typeof value === 'string' ? wellFormed(value) : value)

/** Legal in JSON, and a line's end to many readers. */
const escapeSeparator = (character: string) => (character === '\u2028' ? '\\u2028' : '\\u2029')

/** The header that a value is, or undefined. Its version may be newer than what this amber reads. */
export function readHeader(value: unknown): SessionHeader | undefined {
  if (!isRecord(value) || value.type !== 'session') return undefined
  const { version, id, parent } = value
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) return undefined
  if (typeof id !== 'string') return undefined
  return {
    type: 'session',
    version,
    id,
    created: textOf(value.created),
    workspace: textOf(value.workspace),
    amber: textOf(value.amber),
    provider: textOf(value.provider),
    model: textOf(value.model),
    ...(typeof parent === 'string' ? { parent } : {}),
  }
}

const READERS: {
  readonly [Type in SessionRecord['type']]: (
    value: Readonly<Record<string, unknown>>,
    at: string,
  ) => SessionRecord | undefined
} = {
  message(value, at) {
    const message = readMessage(value.message)
    const { turn } = value
    return message && { type: 'message', at, ...(typeof turn === 'string' ? { turn } : {}), message }
  },
  compression({ kept, summary }, at) {
    return isCount(kept) && typeof summary === 'string'
      ? { type: 'compression', at, kept, summary }
      : undefined
  },
  rewind: ({ dropped }, at) => (isCount(dropped) ? { type: 'rewind', at, dropped } : undefined),
  todos({ todos }, at) {
    const read = readTodos(todos)
    return read && { type: 'todos', at, todos: read }
  },
  title: ({ title }, at) => (typeof title === 'string' ? { type: 'title', at, title } : undefined),
  model({ provider, model }, at) {
    return typeof provider === 'string' && typeof model === 'string'
      ? { type: 'model', at, provider, model }
      : undefined
  },
}

/** The record that a value is; `unknown` for a kind that a newer amber added; undefined when it is none. */
export function readRecord(value: unknown): SessionRecord | 'unknown' | undefined {
  if (!isRecord(value) || typeof value.type !== 'string') return undefined
  return isKnownType(value.type) ? READERS[value.type](value, textOf(value.at)) : 'unknown'
}

function isKnownType(type: string): type is SessionRecord['type'] {
  return Object.hasOwn(READERS, type)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Whether a message is one that is stored: system messages exist on the copy that is sent alone (PRM-1). */
export function isStored(message: Message): message is StoredMessage {
  return message.role !== 'system'
}
