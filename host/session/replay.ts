import type { Todo } from '../../sdk/index.ts'
import type { StoredMessage } from './read-message.ts'
import type { SessionHeader, SessionRecord } from './record.ts'

/** A conversation as its records say it. */
export interface StoredConversation {
  /** Everything that was said and counts, in order; compression takes nothing out (SES-2). */
  readonly messages: readonly StoredMessage[]
  /** What the model gets in the place of the first `upTo` messages. */
  readonly summary?: { readonly upTo: number; readonly text: string }
  readonly todos: readonly Todo[]
  /** Empty when it was never named. */
  readonly title: string
  readonly provider: string
  readonly model: string
}

/** Plays the records of a session in order. */
export function replay(header: SessionHeader, records: readonly SessionRecord[]): StoredConversation {
  const messages: StoredMessage[] = []
  let summary: StoredConversation['summary']
  let todos: readonly Todo[] = []
  let title = ''
  let { provider, model } = header
  for (const record of records) {
    switch (record.type) {
      case 'message':
        messages.push(record.message)
        break
      case 'compression':
        summary = { upTo: Math.max(0, messages.length - record.kept), text: record.summary }
        break
      case 'rewind':
        messages.length = Math.max(0, messages.length - record.dropped)
        if (summary !== undefined && summary.upTo > messages.length) {
          summary = { ...summary, upTo: messages.length }
        }
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
  return { messages, ...(summary === undefined ? {} : { summary }), todos, title, provider, model }
}
