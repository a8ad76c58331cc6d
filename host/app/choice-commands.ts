import type { Clock } from '../base/clock.ts'
import type { ConfigStore } from '../base/config.ts'
import { AmberError } from '../base/errors.ts'
import { table } from '../base/table.ts'
import type { CoreHandler } from '../command/dispatch.ts'
import { readAccount } from '../llm/account-readout.ts'
import type { ModelCache } from '../llm/model-cache.ts'
import type { ProviderSources } from '../llm/provider-sources.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import type { ProviderRow } from './app.ts'
import { chooseProvider } from './choose-provider.ts'
import type { Connect } from './connector.ts'
import { findModels, modelCells } from './model-list.ts'
import { noSuchProvider } from './provider-checks.ts'
import { walletRows } from './wallet-rows.ts'

/** What choosing works on. */
export interface ChoiceCommandDeps {
  readonly connect: Connect
  readonly models: ModelCache
  readonly clock: Clock
  readonly config: ConfigStore
  readonly snapshot: () => Snapshot
  readonly providers: () => Promise<readonly ProviderRow[]>
  /** What this run was started with. */
  readonly flags: ProviderSources['flags']
}

/**
 * The commands about provider, model and mode where no conversation is open: what would be used, and what is to be
 * used from now on. An open conversation puts its own in their place.
 */
export function choiceCommands(deps: ChoiceCommandDeps): ReadonlyMap<string, CoreHandler> {
  const { config } = deps
  return new Map<string, CoreHandler>([
    ['get.model', () => inUse(deps)],
    ['get.provider', () => inUse(deps)],
    ['get.model.list', ({ text, signal }) => modelTable(deps, { flags: deps.flags, part: text, signal })],
    ['get.model.context', () => contextOf(deps)],
    ['get.provider.wallet', ({ signal }) => walletText(deps, deps.flags, signal)],
    ['get.policy', async () => `The mode is ${(await config.read()).mode ?? 'write'}.`],
    ['set.policy.mode', ({ text }) => setMode(config, text)],
    ['set.model', ({ text }) => setModel(deps, text)],
    ['set.provider', ({ text }) => setProvider(deps, text)],
  ])
}

async function inUse({ connect, flags }: ChoiceCommandDeps): Promise<string> {
  const { selected } = await connect({ ...flags, anyModel: true }, { interactive: true })
  return `${selected.provider} · ${selected.model || 'no model chosen'}`
}

async function contextOf({ connect, flags }: ChoiceCommandDeps): Promise<string> {
  const { client } = await connect(flags, { interactive: true })
  return contextText(client.contextWindow(), undefined)
}

/** `131072 tokens, 40000 used (31 %)`. An unknown size is not guessed. */
export function contextText(size: number | undefined, used: number | undefined): string {
  if (size === undefined) return 'The size of the context window is not known.'
  const tokens = (count: number) => count.toLocaleString('en-US')
  return `${tokens(size)} tokens${used === undefined ? '' : `, ${tokens(used)} used (${Math.round((used / size) * 100)} %)`}`
}

/** A provider's models with windows and prices, from its list; `flags` name it, else it is the one in use. */
export async function modelTable(
  { connect, models, clock }: Pick<ChoiceCommandDeps, 'connect' | 'models' | 'clock'>,
  {
    flags = {},
    part,
    signal,
  }: { readonly flags?: ProviderSources['flags']; readonly part: string; readonly signal: AbortSignal },
): Promise<string> {
  const connection = await connect({ ...flags, anyModel: true }, { interactive: true })
  const { provider, model } = connection.selected
  const { list, warning } = await findModels({ connection, cache: models, now: clock.now(), signal }, false)
  const wanted = part.toLowerCase()
  const found = list.models.filter(({ id }) => id.toLowerCase().includes(wanted))
  const rows = found.map((one) => [one.id === model ? '*' : ' ', ...modelCells(one)])
  const none =
    list.models.length === 0
      ? `${provider} lists no models. Name one yourself: /set model NAME`
      : `No model of ${provider} is called like ${part}.`
  return [...(warning === undefined ? [] : [warning]), table(rows).trimEnd() || none].join('\n')
}

/** Balance and quota of a provider; a dash where nothing honest is known (WAL-2). */
export async function walletText(
  { connect }: Pick<ChoiceCommandDeps, 'connect'>,
  flags: ProviderSources['flags'],
  signal: AbortSignal,
): Promise<string> {
  const connection = await connect({ ...flags, anyModel: true }, { interactive: true })
  const { provider } = connection.selected
  const answer = await connection.account(signal)
  const account = answer?.kind === 'account' ? answer.account : undefined
  const why =
    answer === undefined
      ? [`${provider} has no way to ask for a balance.`]
      : answer.kind === 'failed'
        ? [`${provider} did not say. See whether the key is right: /provider test ${provider}`]
        : []
  const shown = readAccount(provider, account).account
  return [table(walletRows(provider, shown)).trimEnd(), ...why].join('\n')
}

async function setMode(config: ConfigStore, text: string): Promise<string> {
  if (text === '') return `The mode is ${(await config.read()).mode ?? 'write'}.`
  await config.set('mode', text)
  return `The mode is ${text} from the next conversation on.`
}

async function setModel({ config }: ChoiceCommandDeps, text: string): Promise<string> {
  if (text === '') throw new AmberError('failed', 'No model was named.', 'See them: /get model list')
  await config.set('model', JSON.stringify(text))
  return `The model is ${text} from the next conversation on.`
}

async function setProvider({ config, providers, snapshot }: ChoiceCommandDeps, text: string) {
  const rows = await providers()
  const row = rows.find(({ name }) => name === text)
  if (text === '') throw new AmberError('failed', 'No provider was named.', 'See them: /provider list')
  if (row === undefined) {
    throw noSuchProvider(snapshot(), text, { names: rows.map(({ name }) => name), all: '/provider list' })
  }
  await chooseProvider(config, { provider: text })
  const needs = row.requiresKey && !row.hasKey ? ` It needs a key: /provider edit ${text}` : ''
  return `The provider is ${text} from the next conversation on.${needs}`
}
