import type { Dialect, ModelInfo } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import { AmberError } from '../base/errors.ts'
import { type AccountAnswer, askAccount, findAccount } from '../llm/account.ts'
import { createChatClient, type LearningChatClient } from '../llm/client.ts'
import { type ListedModels, listModels } from '../llm/list-models.ts'
import type { ModelCache } from '../llm/model-cache.ts'
import { openAiDialect } from '../llm/openai/dialect.ts'
import type { ProviderSources } from '../llm/provider-sources.ts'
import { type SelectedProvider, selectProvider } from '../llm/select.ts'
import type { Transport } from '../llm/transport.ts'
import type { Snapshot } from '../registry/snapshot.ts'

/** What reaching a provider needs. */
export interface ConnectorDeps {
  /** The one of this amber (PRO-8). */
  readonly transport: Transport
  readonly clock: Clock
  readonly sources: (flags: ProviderSources['flags']) => Promise<ProviderSources>
  readonly models: ModelCache
  readonly snapshot: () => Snapshot
}

/** How a provider is reached. */
export interface ConnectOptions {
  /** Somebody is at the terminal: a key that is set and not named is offered instead of being an error. */
  readonly interactive?: boolean
  /** Tries for each request, 3 unless said. */
  readonly attempts?: number
  /** Send again although part of an answer was shown. */
  readonly retryPartial?: boolean
}

/** A provider that can be spoken to: chosen, started where it starts a server of its own, its protocol loaded. */
export interface Connection {
  readonly selected: SelectedProvider
  readonly apiBase: string
  readonly dialect: Dialect
  readonly client: LearningChatClient
  /** Asks the server for its models, and keeps the list in the cache. */
  listModels(signal: AbortSignal): Promise<ListedModels>
  /** Asks for the balance and the quota, once; undefined where no plugin can (WAL-6). */
  account(signal: AbortSignal): Promise<AccountAnswer | undefined>
  /** Teaches the client its context window from the server's list, where nobody said it and no recent list is kept. */
  learnContextWindow(signal: AbortSignal): Promise<void>
}

/** Reaches a provider. Rejects with an AmberError of code `configuration` when it cannot be, as configured. */
export type Connect = (flags: ProviderSources['flags'], options?: ConnectOptions) => Promise<Connection>

/** A day: windows of models that are there do not change. */
const RECENT_MS = 24 * 60 * 60 * 1000

/** Makes the one way to a provider. Nothing is sent by connecting. */
export function createConnector(deps: ConnectorDeps): Connect {
  const { transport, clock, models } = deps
  return async (flags, options = {}) => {
    const selected = selectProvider(await deps.sources(flags), options.interactive === true)
    if (selected.kind === 'problem') throw selected.error
    const apiBase = selected.apiBase ?? (await startProvider(selected))
    const dialect = await dialectOf(selected)
    const { provider, model, apiKey, keyEnv } = selected
    const config = { provider, model, apiBase, apiKey, ...(keyEnv === undefined ? {} : { keyEnv }) }
    const kept = await models.read({ provider, apiBase })
    const windowIn = (list: readonly ModelInfo[] = []) => list.find(({ id }) => id === model)?.contextWindow
    // The provider's own file, else its list when it was last fetched, else the settings.
    const contextWindow = selected.contextWindow ?? windowIn(kept?.models) ?? selected.assumedContextWindow
    const client = createChatClient(
      { transport, dialect, clock, random: Math.random },
      {
        ...config,
        mergeSystem: selected.mergeSystem,
        retryPartial: options.retryPartial === true,
        ...(options.attempts === undefined ? {} : { retry: { attempts: options.attempts } }),
        ...(selected.reasoningEffort === undefined ? {} : { reasoningEffort: selected.reasoningEffort }),
        ...(contextWindow === undefined ? {} : { contextWindow }),
      },
    )
    const list: Connection['listModels'] = async (signal) => {
      const listed = await listModels({ transport, dialect, clock }, config, { signal })
      if (listed.kind === 'models' && listed.models.length > 0) {
        await models.write({ provider, apiBase }, { models: listed.models, fetchedAt: clock.now() })
      }
      return listed
    }
    return {
      selected,
      apiBase,
      dialect,
      client,
      listModels: list,
      async account(signal) {
        const source = findAccount(provider, deps.snapshot())
        return source && askAccount(source, { provider, apiBase, apiKey }, { transport, signal })
      },
      async learnContextWindow(signal) {
        const isRecent = kept !== undefined && clock.now() - kept.fetchedAt < RECENT_MS
        if (selected.contextWindow !== undefined || selected.start !== undefined || isRecent) return
        const listed = await list(signal)
        const said = listed.kind === 'models' ? windowIn(listed.models) : undefined
        if (said !== undefined) client.learnContextWindow(said)
      },
    }
  }
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
