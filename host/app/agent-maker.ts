import type { Dialect } from '../../sdk/index.ts'
import { createAgent } from '../agent/agent.ts'
import type { Clock } from '../base/clock.ts'
import { AmberError } from '../base/errors.ts'
import type { AmberPaths } from '../base/paths.ts'
import { createChatClient } from '../llm/client.ts'
import { openAiDialect } from '../llm/openai/dialect.ts'
import type { ProviderSources } from '../llm/provider-sources.ts'
import { type SelectedProvider, selectProvider } from '../llm/select.ts'
import { createTransport } from '../llm/transport.ts'
import type { Agent, AgentOptions } from './app.ts'
import { corePrompt } from './core-prompt.ts'
import type { Host } from './create-host.ts'

/** What making agents needs. */
export interface AgentMakerDeps {
  readonly host: Host
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  readonly paths: AmberPaths
  readonly sources: (flags: ProviderSources['flags']) => Promise<ProviderSources>
  readonly onNotice: (message: string) => void
}

/** Makes agents on one transport (PRO-8). */
export interface AgentMaker {
  /** Rejects with an AmberError of code `configuration` when no model can be reached as configured. */
  create(options: AgentOptions): Promise<Agent>
  close(): Promise<void>
}

const REHEARSAL_NOTICE =
  'This is a rehearsal, not a model: a scripted stand-in that runs the whole loop. Choose a model with --provider NAME (amber provider list).'

/** Makes the maker; nothing is opened before the first request. */
export function createAgentMaker(deps: AgentMakerDeps): AgentMaker {
  const { host, clock, env } = deps
  const transport = createTransport({ clock, env })
  return {
    async create(options) {
      if (options.session === 'continue' || typeof options.session === 'object') throw noSessions()
      const selected = selectProvider(await deps.sources(flagsOf(options)), options.interactive === true)
      if (selected.kind === 'problem') throw selected.error
      for (const notice of noticesOf(selected)) deps.onNotice(notice)
      const apiBase = selected.apiBase ?? (await startProvider(selected))
      const dialect = await dialectOf(selected)
      const client = createChatClient(
        { transport, dialect, clock, random: Math.random },
        {
          provider: selected.provider,
          apiBase,
          apiKey: selected.apiKey,
          model: selected.model,
          mergeSystem: selected.mergeSystem,
          ...(selected.keyEnv === undefined ? {} : { keyEnv: selected.keyEnv }),
          ...(selected.contextWindow === undefined ? {} : { contextWindow: selected.contextWindow }),
        },
      )
      const agent = createAgent(
        {
          client,
          snapshot: () => host.ledger.snapshot(),
          bus: host.bus,
          clock,
          prompt: corePrompt({ workspace: deps.paths.workspace, platform: process.platform }),
          pluginErrors: () => host.pluginErrors(),
        },
        options,
      )
      return {
        ...agent,
        turn: (prompt, how) => host.plugins.followStates().then(() => agent.turn(prompt, how)),
      }
    },
    close: () => transport.close(),
  }
}

function noSessions(): AmberError {
  const hint = 'Leave --continue and --resume out: every run starts a conversation of its own.'
  return new AmberError('failed', 'This amber keeps no sessions, so there is none to go on with.', hint)
}

function flagsOf({ provider, model, apiBase }: AgentOptions): ProviderSources['flags'] {
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(apiBase === undefined ? {} : { apiBase }),
  }
}

function noticesOf(selected: SelectedProvider): readonly string[] {
  const isRehearsal = selected.rehearsal || selected.provider === 'rehearsal'
  const offer =
    selected.offers.length === 0
      ? []
      : [`A key is set for ${selected.offers.join(', ')}: use it with --provider ${selected.offers[0]}.`]
  return [...(isRehearsal ? [REHEARSAL_NOTICE] : []), ...offer, ...selected.notices]
}

async function startProvider({ provider, start }: SelectedProvider): Promise<string> {
  const outcome = await start?.()
  if (outcome?.kind === 'value') return outcome.value.apiBase
  const why =
    outcome?.kind === 'fault'
      ? outcome.fault.diagnostic.message
      : outcome?.kind === 'declined'
        ? outcome.why
        : 'it has no start handler'
  throw new AmberError(
    'configuration',
    `The provider ${provider} did not start: ${why}`,
    `See what is wrong: amber plugin list`,
  )
}

async function dialectOf({ dialect }: SelectedProvider): Promise<Dialect> {
  if (dialect === undefined) return openAiDialect
  const outcome = await dialect.dialect()
  if (outcome.kind === 'value') return outcome.value
  const why = outcome.kind === 'fault' ? outcome.fault.diagnostic.message : outcome.why
  throw new AmberError(
    'configuration',
    `The protocol ${dialect.flavor} of plugin ${dialect.plugin} did not load: ${why}`,
    `See what is wrong: amber plugin info ${dialect.plugin}`,
  )
}
