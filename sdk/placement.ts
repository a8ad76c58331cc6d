import type { Message, SystemMessage } from './conversation.ts'

/** The prompt blocks of a request by where this protocol puts them (PRM-2). */
export interface SystemParts {
  /** The stable prefix. */
  readonly system: readonly SystemMessage[]
  /** Behind it, before the conversation. */
  readonly head: readonly SystemMessage[]
  /** What changes: it rides at the end of the last user message. */
  readonly tail: readonly SystemMessage[]
  readonly conversation: readonly Exclude<Message, SystemMessage>[]
}

/** Takes the prompt blocks out of the conversation, each kind in its order. */
export function splitSystem(messages: readonly Message[]): SystemParts {
  const blocks = messages.filter((message): message is SystemMessage => message.role === 'system')
  const at = (placement: SystemMessage['placement']) => blocks.filter((one) => one.placement === placement)
  return {
    system: at('system'),
    head: at('head'),
    tail: at('tail'),
    conversation: messages.filter(
      (message): message is Exclude<Message, SystemMessage> => message.role !== 'system',
    ),
  }
}

/** The text of a tail block, marked as the program's and not the user's. */
export function markedText(block: SystemMessage): string {
  return `<system-note>\n${block.text}\n</system-note>`
}
