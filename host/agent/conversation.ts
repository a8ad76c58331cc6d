import type { HostEvents, Message } from '../../sdk/index.ts'
import type { EventBus } from '../base/event-bus.ts'

/** The stored conversation: messages are added, never changed (PRM-1, SES-2). */
export interface Conversation {
  messages(): readonly Message[]
  add(message: Message): void
  clear(): void
}

/** Makes a conversation in memory. `onMessage` hears of each message in order, before the event is published (N9). */
export function createConversation(deps: {
  readonly bus: EventBus
  readonly initial?: readonly Message[]
  readonly onMessage?: (message: Message) => void
}): Conversation {
  let messages: readonly Message[] = deps.initial ?? []
  return {
    messages: () => messages,
    add(message) {
      messages = [...messages, message]
      deps.onMessage?.(message)
      const event = eventOf(message)
      if (event !== undefined && deps.bus.has('message.added')) deps.bus.publish('message.added', event)
    },
    clear() {
      messages = []
    },
  }
}

function eventOf(message: Message): HostEvents['message.added'] | undefined {
  return message.role === 'system' ? undefined : { role: message.role, text: message.text }
}
