import { createAgent } from '../agent/agent.ts'
import type { Clock } from '../base/clock.ts'
import { AmberError } from '../base/errors.ts'
import type { AmberPaths } from '../base/paths.ts'
import type { ProviderSources } from '../llm/provider-sources.ts'
import type { SelectedProvider } from '../llm/select.ts'
import type { Agent, AgentOptions } from './app.ts'
import type { Connect } from './connector.ts'
import { corePrompt } from './core-prompt.ts'
import type { Host } from './create-host.ts'

/** What making agents needs. */
export interface AgentMakerDeps {
  readonly host: Host
  readonly clock: Clock
  readonly paths: AmberPaths
  readonly connect: Connect
  readonly onNotice: (message: string) => void
}

/** Makes agents. */
export interface AgentMaker {
  /** Rejects with an AmberError of code `configuration` when no model can be reached as configured. */
  create(options: AgentOptions): Promise<Agent>
}

const REHEARSAL_NOTICE =
  'This is a rehearsal, not a model: a scripted stand-in that runs the whole loop. Choose a model with --provider NAME (amber provider list).'

/** Makes the maker; nothing is opened before the first request. */
export function createAgentMaker(deps: AgentMakerDeps): AgentMaker {
  const { host, clock } = deps
  return {
    async create(options) {
      if (options.session === 'continue' || typeof options.session === 'object') throw noSessions()
      const interactive = options.interactive === true
      const connection = await deps.connect(flagsOf(options), {
        interactive,
        retryPartial: options.retryPartial === true,
      })
      const { client, selected } = connection
      for (const notice of noticesOf(selected)) deps.onNotice(notice)
      // Only a conversation lives long enough to profit, and nothing waits for it.
      if (interactive) void connection.learnContextWindow(new AbortController().signal)
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
