import { createAgent } from '../agent/agent.ts'
import type { Clock } from '../base/clock.ts'
import type { ConfigStore } from '../base/config.ts'
import type { AmberPaths } from '../base/paths.ts'
import type { Accounts } from '../llm/accounts.ts'
import type { ProviderSources } from '../llm/provider-sources.ts'
import type { SelectedProvider } from '../llm/select.ts'
import { readPromptFiles } from '../workspace/prompt-files.ts'
import { agentSessions, planText } from './agent-sessions.ts'
import type { Agent, AgentOptions } from './app.ts'
import type { Connect } from './connector.ts'
import type { ConversationServices } from './conversation-services.ts'
import { conversationSettings } from './conversation-settings.ts'
import { corePrompt } from './core-prompt.ts'
import type { Host } from './create-host.ts'
import { openSessionKeeper, type SessionKeeper } from './session-keeper.ts'
import { createTurnUndo } from './turn-undo.ts'
import { watchAccount } from './watch-account.ts'
import type { WorkspacePart } from './workspace-part.ts'

/** What making agents needs. */
export interface AgentMakerDeps {
  readonly host: Host
  readonly clock: Clock
  readonly paths: AmberPaths
  readonly connect: Connect
  readonly accounts: Accounts
  readonly config: ConfigStore
  readonly conversations: ConversationServices
  readonly part: Pick<WorkspacePart, 'rules' | 'checkpoints' | 'undo' | 'workspace'>
  readonly onNotice: (message: string) => void
}

/** Makes agents. */
export interface AgentMaker {
  /** Rejects with an AmberError of code `configuration` when no model can be reached as configured. */
  create(options: AgentOptions): Promise<Agent>
  /** Closes the sessions of all agents. */
  close(): void
}

const REHEARSAL_NOTICE =
  'This is a rehearsal, not a model: a scripted stand-in that runs the whole loop. Choose a model with --provider NAME (amber provider list).'

/** Makes the maker; nothing is opened before the first request. */
export function createAgentMaker(deps: AgentMakerDeps): AgentMaker {
  const { host, clock, conversations, onNotice } = deps
  const open = new Set<SessionKeeper>()
  return {
    close() {
      for (const keeper of open) keeper.close()
      open.clear()
    },
    async create(options) {
      const interactive = options.interactive === true
      const connection = await deps.connect(flagsOf(options), {
        interactive,
        retryPartial: options.retryPartial === true,
      })
      const { client, selected } = connection
      const notices = options.goesOn === true ? selected.notices : noticesOf(selected)
      for (const notice of notices) deps.onNotice(notice)
      // Only a conversation lives long enough to profit, and nothing waits for it.
      if (interactive) void connection.learnContextWindow(new AbortController().signal)
      const account = interactive ? watchAccount(connection, deps.accounts) : undefined
      const keeper = await openSessionKeeper(
        {
          store: conversations.sessions,
          todos: conversations.todos,
          speaker: { provider: client.provider, model: client.model },
          onNotice,
        },
        options.session ?? 'new',
      )
      open.add(keeper)
      const agent = createAgent(
        {
          client,
          snapshot: () => host.ledger.snapshot(),
          bus: host.bus,
          clock,
          prompt: corePrompt({
            workspace: deps.paths.workspace,
            platform: process.platform,
            contextBlock: conversations.contextBlock,
          }),
          pluginErrors: () => host.pluginErrors(),
          rules: deps.part.rules,
          journal: keeper.journal,
          session: keeper.id,
          conversation: keeper.conversation,
          subagents: conversations.subagents,
          keepsake: () => planText(keeper.todos()),
        },
        { ...options, ...(await conversationSettings(deps.config)), initial: keeper.initial() },
      )
      let running = 0
      return {
        ...agent,
        contextWindow: () => client.contextWindow(),
        account: () => account?.readout(),
        attach: (prompt) => readPromptFiles(prompt, deps.part.workspace),
        reset() {
          agent.reset()
          keeper.begin()
        },
        undo: createTurnUndo(
          { ...agent, isBusy: () => running > 0 },
          {
            part: deps.part,
            snapshot: () => host.ledger.snapshot(),
          },
        ),
        sessions: agentSessions({
          agent,
          keeper,
          store: conversations.sessions,
          workspace: deps.paths.workspace,
        }),
        async turn(prompt, how) {
          const { checkpoints } = deps.part
          running++
          try {
            await host.plugins.followStates()
            const id = checkpoints.newId()
            const turn = () => agent.turn(prompt, { ...how, id })
            const result = await checkpoints.turn({ id, session: keeper.id() }, turn)
            account?.turnEnded()
            return result
          } finally {
            running--
          }
        },
      }
    },
  }
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
