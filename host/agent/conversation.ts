import type { HostEvents, Message } from '../../sdk/index.ts'
import type { EventBus } from '../base/event-bus.ts'

/** What the model gets in the place of the first `upTo` messages. */
export interface Summary {
  readonly upTo: number
  readonly text: string
}

/** Where a turn begins. */
export interface TurnMark {
  /** Undefined for a turn of a time when they had no ids. */
  readonly id: string | undefined
  /** The place of its first message, the user's. */
  readonly from: number
}

/** A conversation to go on with. */
export interface ConversationState {
  readonly messages: readonly Message[]
  readonly turns?: readonly TurnMark[]
  readonly summary?: Summary | undefined
  /** The summaries before it, oldest first: taking a turn back may bring one back. */
  readonly olderSummaries?: readonly Summary[]
}

/** Hears of what is added to a conversation, in order, before anybody else (N9). Must not throw. */
export interface Journal {
  /** `turn`: the id of the turn that the message begins. */
  message(message: Message, turn?: string): void
  /** All but the newest `kept` messages are summed up for the model from here on. */
  compression(kept: number, summary: string): void
  /** The newest `dropped` messages, those of a turn, count no more. */
  rewind(dropped: number, turn?: string): void
}

/** The stored conversation: messages are added, never changed (PRM-1, SES-2). */
export interface Conversation {
  /** Everything that was said. */
  messages(): readonly Message[]
  /** What the model gets of it: with a summary in the place of what was summed up. */
  sent(): readonly Message[]
  summary(): Summary | undefined
  /** `turn`: the id of the turn that the message begins. */
  add(message: Message, turn?: string): void
  compress(summary: Summary): void
  /** The newest turn; undefined when nothing was said. */
  lastTurn(): TurnMark | undefined
  /** Takes the newest turn back; how many messages that was. A summary that told of it goes with it. */
  rewind(): number
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
  let list: Message[] = []
  let turns: TurnMark[] = []
  let summaries: Summary[] = []
  let messages: readonly Message[] | undefined
  let sent: readonly Message[] | undefined
  const changed = () => {
    messages = undefined
    sent = undefined
  }
  const replace = (state: ConversationState) => {
    list = [...state.messages]
    turns = [...(state.turns ?? turnsOf(list))]
    summaries = [...(state.olderSummaries ?? []), ...(state.summary === undefined ? [] : [state.summary])]
    changed()
  }
  if (deps.initial !== undefined) replace(deps.initial)
  return {
    messages() {
      messages ??= list.slice()
      return messages
    },
    sent() {
      const summary = summaries.at(-1)
      sent ??=
        summary === undefined ? list.slice() : [summaryMessage(summary.text), ...list.slice(summary.upTo)]
      return sent
    },
    summary: () => summaries.at(-1),
    add(message, turn) {
      if (turn !== undefined) turns.push({ id: turn, from: list.length })
      list.push(message)
      changed()
      journal?.message(message, turn)
      const event = eventOf(message)
      if (event !== undefined && bus?.has('message.added')) bus.publish('message.added', event)
    },
    compress(next) {
      summaries.push(next)
      changed()
      journal?.compression(list.length - next.upTo, next.text)
    },
    lastTurn: () => turns.at(-1),
    rewind() {
      const turn = turns.pop()
      if (turn === undefined) return 0
      const dropped = list.length - turn.from
      list.length = turn.from
      summaries = summaries.filter(({ upTo }) => upTo <= turn.from)
      changed()
      journal?.rewind(dropped, turn.id)
      return dropped
    },
    replace,
  }
}

/** Where nobody has marked turns, each of the user's messages begins one. */
function turnsOf(list: readonly Message[]): readonly TurnMark[] {
  return list.flatMap(({ role }, from) => (role === 'user' ? [{ id: undefined, from }] : []))
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
