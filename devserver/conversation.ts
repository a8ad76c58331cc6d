import type { TurnResult } from '../host/agent/turn.ts'
import type { Agent, AgentOptions, App } from '../host/app/app.ts'
import type { TurnRecord } from './turn-record.ts'

/** The one conversation of a dev server: the configured provider, or the rehearsal. */
export interface Conversation {
  /** Runs a turn after the one that is running. Rejects with an AmberError when no model can be reached as configured. */
  turn(prompt: string, signal: AbortSignal): Promise<TurnResult>
  /** The model that answers; empty before the first turn. */
  model(): string
}

/** What the conversation needs. */
export interface ConversationDeps {
  readonly app: Pick<App, 'createAgent'>
  /** Each turn is written down in it. */
  readonly record: TurnRecord
}

/** Makes the conversation; its agent is made at the first turn. */
export function createConversation({ app, record }: ConversationDeps, options: AgentOptions): Conversation {
  let made: Promise<Agent> | undefined
  let model = ''
  let last: Promise<unknown> = Promise.resolve()
  const agent = async (): Promise<Agent> => {
    made ??= app.createAgent(options)
    try {
      const one = await made
      model = one.model
      return one
    } catch (thrown) {
      // What was missing may be there the next time.
      made = undefined
      throw thrown
    }
  }
  const run = async (prompt: string, signal: AbortSignal): Promise<TurnResult> => {
    const { sink, end, fail } = record.begin(prompt)
    try {
      const result = await (await agent()).turn(prompt, { signal, sink })
      end(result)
      return result
    } catch (thrown) {
      fail(thrown)
      throw thrown
    }
  }
  return {
    turn(prompt, signal) {
      const mine = last.then(() => run(prompt, signal))
      last = mine.catch(() => undefined)
      return mine
    },
    model: () => model,
  }
}
