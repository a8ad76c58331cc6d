import type { Agent, AgentOptions, App } from '../app/app.ts'
import { chooseProvider } from '../app/choose-provider.ts'
import { createConfigStore } from '../base/config.ts'
import type { Dispose } from '../base/disposable.ts'
import { AmberError } from '../base/errors.ts'
import type { CoreHandler } from '../command/dispatch.ts'
import type { CliContext } from './context.ts'
import type { NextModel } from './continue-with.ts'
import { pathsOf } from './open-app.ts'

/** An open conversation, as far as choosing what it talks to goes. */
export interface ChoosingConversation {
  agent(): Agent | undefined
  /** What its agent was made with. */
  options(): Pick<AgentOptions, 'provider' | 'model' | 'apiBase'>
  /** Tokens of the last request; undefined while nobody said. */
  promptTokens(): number | undefined
  /** A turn runs. */
  isBusy(): boolean
  /** Goes on with another one, or with the settings of now, with all that was said. */
  use(choice: NextModel): Promise<Agent>
  /** Shows the models to choose from; absent where there is no picker. */
  openPicker?(): void
}

/** Settings that a conversation is made with; those that are read at each use need no new one. */
const OF_CONVERSATIONS =
  /^(reasoningEffort|contextWindow|maxTurns|approval\..*|compression\..*|detection\..*|subagents\.maxRounds)$/

/** Binds the commands about model, provider and settings to an open conversation, until disposed. */
export function bindChoices(
  app: Pick<App, 'bindCommand' | 'connect' | 'modelCache' | 'onSetting'>,
  context: CliContext,
  conversation: ChoosingConversation,
): Dispose {
  const named = () => {
    const agent = conversation.agent()
    return agent === undefined ? '-' : `${agent.provider} · ${agent.model}`
  }
  const flags = () => {
    const provider = conversation.agent()?.provider
    return { ...conversation.options(), ...(provider === undefined ? {} : { provider }) }
  }
  /** Nothing was named: where there is a picker, it is shown. */
  const pick = (text: string) => {
    if (text !== '' || conversation.openPicker === undefined) return undefined
    conversation.openPicker()
    return ''
  }
  const choices = () => import('../app/choice-commands.ts')
  const handlers: Readonly<Record<string, CoreHandler>> = {
    'get.model': named,
    'get.provider': named,
    'get.model.context': async () =>
      (await choices()).contextText(conversation.agent()?.contextWindow?.(), conversation.promptTokens()),
    'get.model.list': async ({ text, signal }) =>
      pick(text) ??
      (await choices()).modelTable(
        { connect: app.connect, models: app.modelCache, clock: context.clock },
        { flags: flags(), part: text, signal },
      ),
    'get.provider.wallet': async ({ signal }) => (await choices()).walletText(app, flags(), signal),
    'set.model': ({ text }) => pick(text) ?? change({ model: text }, text, 'See them: /get model list'),
    'set.provider': ({ text }) => change({ provider: text }, text, 'See them: /provider list'),
  }
  const change = async (choice: NextModel, text: string, hint: string) => {
    if (text === '') throw new AmberError('failed', 'Nothing was named.', hint)
    return goOnWith(context, conversation, choice)
  }
  const undo = [
    ...Object.entries(handlers).map(([path, handler]) => app.bindCommand(path, handler)),
    app.onSetting(async (key) => {
      const isOpen = conversation.agent() !== undefined && !conversation.isBusy()
      if (!OF_CONVERSATIONS.test(key) || !isOpen) return false
      // A provider that cannot be reached any more is no reason to say that nothing was stored.
      return conversation.use({}).then(
        () => true,
        () => false,
      )
    }),
  ]
  return () => {
    for (const one of undo) one()
  }
}

/**
 * Lets a conversation go on with another model, and has later ones begin with it, unless this run was told what to use:
 * that held for the run alone. Rejects with an AmberError while a turn runs.
 */
export async function goOnWith(
  context: CliContext,
  conversation: Pick<ChoosingConversation, 'isBusy' | 'use'>,
  choice: NextModel,
): Promise<string> {
  if (conversation.isBusy()) throw new AmberError('failed', 'A turn is running.', 'Stop it first: /stop')
  const { provider, model } = await conversation.use(choice)
  const { global, io } = context
  const isOnce = [global.provider, global.model, io.env.AMBER_PROVIDER, io.env.AMBER_MODEL].some(Boolean)
  const text = `This conversation goes on with ${provider} · ${model}`
  if (isOnce) return `${text}.`
  const config = createConfigStore(pathsOf(context).config, context.clock)
  await chooseProvider(config, { provider, ...(choice.model === undefined ? {} : { model }) })
  return `${text}, and later ones begin with it.`
}
