import type { Todo } from '../../sdk/index.ts'
import type { StoredMessage } from './read-message.ts'
import type { SessionHeader, SessionRecord } from './record.ts'

/** What the model gets in the place of the first `upTo` messages. */
export interface StoredSummary {
  readonly upTo: number
  readonly text: string
}

/** Where a turn begins. */
export interface StoredTurn {
  /** Undefined in files whose turns had no ids yet. */
  readonly id: string | undefined
  /** The place of its first message, the user's. */
  readonly from: number
  /** The things to do as they were before it. */
  readonly todos: readonly Todo[]
}

/** A conversation as its records say it. */
export interface StoredConversation {
  /** Everything that was said and counts, in order; compression takes nothing out (SES-2). */
  readonly messages: readonly StoredMessage[]
  /** Its turns that count, in order. */
  readonly turns: readonly StoredTurn[]
  /** The newest summary; what it took the place of comes back when a turn in it is taken back. */
  readonly summary?: StoredSummary
  /** The summaries before it, oldest first. */
  readonly olderSummaries: readonly StoredSummary[]
  readonly todos: readonly Todo[]
  /** Empty when it was never named. */
  readonly title: string
  readonly provider: string
  readonly model: string
}

/** Plays the records of a session in order. */
export function replay(header: SessionHeader, records: readonly SessionRecord[]): StoredConversation {
  const messages: StoredMessage[] = []
  const turns: StoredTurn[] = []
  const summaries: StoredSummary[] = []
  let todos: readonly Todo[] = []
  let title = ''
  let { provider, model } = header
  for (const record of records) {
    switch (record.type) {
      case 'message':
        if (beginsTurn(record, turns)) turns.push({ id: record.turn, from: messages.length, todos })
        messages.push(record.message)
        break
      case 'compression':
        summaries.push({ upTo: Math.max(0, messages.length - record.kept), text: record.summary })
        break
      case 'rewind':
        messages.length = Math.max(0, messages.length - record.dropped)
        dropWhile(turns, ({ from }) => from >= messages.length)
        // A summary that tells of what was taken back would keep it alive.
        dropWhile(summaries, ({ upTo }) => upTo > messages.length)
        break
      case 'todos':
        todos = record.todos
        break
      case 'title':
        title = record.title
        break
      case 'model':
        provider = record.provider
        model = record.model
        break
    }
  }
  const summary = summaries.pop()
  return {
    messages,
    turns,
    ...(summary === undefined ? {} : { summary }),
    olderSummaries: summaries,
    todos,
    title,
    provider,
    model,
  }
}

/** Words of the user's that bear no id are a turn's beginning only in a file whose turns have none: else amber said them. */
function beginsTurn(
  { message, turn }: Extract<SessionRecord, { type: 'message' }>,
  turns: readonly StoredTurn[],
): boolean {
  if (message.role !== 'user') return false
  return turn !== undefined || turns.every(({ id }) => id === undefined)
}

/** Takes the newest away for which it holds. */
function dropWhile<Value>(list: Value[], drop: (value: Value) => boolean): void {
  for (let last = list.at(-1); last !== undefined && drop(last); last = list.at(-1)) list.pop()
}
