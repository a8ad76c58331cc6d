import type { Agent, AgentOptions, App } from '../app/app.ts'

/** Another provider or model for a conversation that goes on. */
export interface NextModel {
  readonly provider?: string
  readonly model?: string
}

/**
 * The options of a conversation that goes on. An address and a model that this run was started with belong to the
 * provider that it began with, `first`: another one's key must not go there.
 */
export function withChoice(
  { apiBase, model, ...others }: AgentOptions,
  choice: NextModel,
  first: string | undefined,
): AgentOptions {
  const isOther = first !== undefined && choice.provider !== undefined && choice.provider !== first
  return {
    ...others,
    ...(isOther || apiBase === undefined ? {} : { apiBase }),
    ...(isOther || model === undefined ? {} : { model }),
    ...choice,
  }
}

/** What an agent goes on with: its own provider and model where nothing else is chosen. */
export function nextOf({ provider, model }: Pick<Agent, 'provider' | 'model'>, choice: NextModel): NextModel {
  return choice.provider === undefined ? { provider, model: choice.model ?? model } : choice
}

/**
 * Makes the agent that goes on with all that was said to another one, and writes the very same session. Between turns
 * only. When it cannot be made, the other one goes on as before.
 */
export async function continueWith(
  app: Pick<App, 'createAgent'>,
  before: Agent,
  options: AgentOptions,
): Promise<Agent> {
  const id = before.session?.() ?? null
  const isEmpty = (before.messages?.() ?? []).length === 0
  // Its session is let go first: the new agent takes it over.
  before.reset()
  try {
    const session = id === null ? 'none' : isEmpty ? 'new' : { resume: id }
    return await app.createAgent({ ...options, mode: before.mode(), session, goesOn: true })
  } catch (thrown) {
    if (id !== null && !isEmpty) await before.sessions?.load(id).catch(() => undefined)
    throw thrown
  }
}
