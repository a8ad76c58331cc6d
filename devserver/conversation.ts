import type { TurnResult, TurnSink } from '../host/agent/turn.ts'
import type { Agent, AgentOptions, App } from '../host/app/app.ts'

/** The one conversation of a dev server: the configured provider, or the rehearsal. */
export interface Conversation {
  /** Runs a turn after the one that is running. Rejects with an AmberError when no model can be reached as configured. */
  turn(prompt: string, signal: AbortSignal): Promise<TurnResult>
  /** The model that answers; empty before the first turn. */
  model(): string
}

/** Nobody looks on: what happens is told by the host's events. */
const NO_SINK: TurnSink = {
  text: () => {},
  reasoning: () => {},
  toolRequested: () => {},
  toolCompleted: () => {},
  notice: () => {},
  error: () => {},
}

/** Makes the conversation; its agent is made at the first turn. */
export function createConversation(app: Pick<App, 'createAgent'>, options: AgentOptions): Conversation {
  let made: Promise<Agent> | undefined
  let model = ''
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
  return {
    turn: async (prompt, signal) => (await agent()).turn(prompt, { signal, sink: NO_SINK }),
    model: () => model,
  }
}
