import type { HostEvents, Message } from '../../sdk/index.ts'
import type { EventBus } from '../base/event-bus.ts'

/** What the model gets in the place of the first `upTo` messages. */
export interface Summary {
  readonly upTo: number
  readonly text: string
}

/** A conversation to go on with. */
export interface ConversationState {
  readonly messages: readonly Message[]
  readonly summary?: Summary | undefined
}

/** Hears of what is added to a conversation, in order, before anybody else (N9). Must not throw. */
export interface Journal {
  message(message: Message): void
  /** All but the newest `kept` messages are summed up for the model from here on. */
  compression(kept: number, summary: string): void
  /** The newest `dropped` messages count no more. */
  rewind(dropped: number): void
}

/** The stored conversation: messages are added, never changed (PRM-1, SES-2). */
export interface Conversation {
  /** Everything that was said. */
  messages(): readonly Message[]
  /** What the model gets of it: with a summary in the place of what was summed up. */
  sent(): readonly Message[]
  summary(): Summary | undefined
  add(message: Message): void
  compress(summary: Summary): void
  /** Takes the newest messages back. */
  rewind(dropped: number): void
  /** Goes on with another conversation, which its journal knows already. */
  replace(state: ConversationState): void
}

/** Makes a conversation in memory. Without a bus nobody but the journal hears of it. */
export function createConversation(deps: {
  readonly bus?: EventBus
  readonly initial?: ConversationState
  readonly journal?: Journal
}): Conversation {
  const { bus, journal } = deps
  let list: Message[] = [...(deps.initial?.messages ?? [])]
  let summary = deps.initial?.summary
  let messages: readonly Message[] | undefined
  let sent: readonly Message[] | undefined
  const changed = () => {
    messages = undefined
    sent = undefined
  }
  return {
    messages() {
      messages ??= list.slice()
      return messages
    },
    sent() {
      sent ??=
        summary === undefined ? list.slice() : [summaryMessage(summary.text), ...list.slice(summary.upTo)]
      return sent
    },
    summary: () => summary,
    add(message) {
      list.push(message)
      changed()
      journal?.message(message)
      const event = eventOf(message)
      if (event !== undefined && bus?.has('message.added')) bus.publish('message.added', event)
    },
    compress(next) {
      summary = next
      changed()
      journal?.compression(list.length - next.upTo, next.text)
    },
    rewind(dropped) {
      list.length = Math.max(0, list.length - dropped)
      if (summary !== undefined && summary.upTo > list.length) summary = { ...summary, upTo: list.length }
      changed()
      journal?.rewind(dropped)
    },
    replace(state) {
      list = [...state.messages]
      summary = state.summary
      changed()
    },
  }
}

/** How a summary reads to the model. */
export function summaryMessage(text: string): Message {
  return {
    role: 'user',
    text: `[The conversation up to here was summed up to make room. The summary:]\n\n${text}`,
  }
}

function eventOf(message: Message): HostEvents['message.added'] | undefined {
  return message.role === 'system' ? undefined : { role: message.role, text: message.text }
}
