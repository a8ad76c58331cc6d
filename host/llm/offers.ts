import type { Clock } from '../base/clock.ts'
import type { InstalledPreset } from '../registry/snapshot.ts'
import { listModels } from './list-models.ts'
import { openAiDialect } from './openai/dialect.ts'
import { type ProviderSources, providersWithKeys } from './provider-sources.ts'
import { isChosen } from './select.ts'
import type { Transport } from './transport.ts'
import { isLoopback } from './url.ts'

/** A provider that could be used, and is not before the user names it (interfaces 1). */
export interface ProviderOffer {
  readonly name: string
  /** `key`: a variable of the environment holds its key. `file`: the user added it. `server`: it answers on this machine. */
  readonly because: 'key' | 'file' | 'server'
  /** The variable, the address of the API, or the address of the server. */
  readonly where: string
  /** The model that it would be asked; empty when one has to be chosen. */
  readonly model: string
  /** What a local server lists. */
  readonly models: readonly string[]
}

/** A server of this machine that does not say at once what it has is not there. Milliseconds. */
const PROBE_MS = 150

/** Looks for what could be used; undefined when the user has named a provider. Sends no key anywhere. Never rejects. */
export async function findOffers(
  sources: ProviderSources,
  deps: { readonly transport: Transport; readonly clock: Clock },
): Promise<readonly ProviderOffer[] | undefined> {
  if (isChosen(sources)) return undefined
  const presets = [...sources.providers.presets.values()]
  const local = presets.filter((preset) => isLocal(preset, sources) && !sources.files.has(preset.name))
  const servers = await Promise.all(local.map((preset) => probe(preset, deps)))
  return [...withKeys(sources), ...ownFiles(sources), ...servers.flatMap((one) => one ?? [])]
}

function withKeys(sources: ProviderSources): readonly ProviderOffer[] {
  return providersWithKeys(sources)
    .filter(({ name }) => !sources.files.has(name))
    .map(({ name, keyEnv = '' }) => {
      const model = sources.providers.presets.get(name)?.defaultModel ?? ''
      return { name, because: 'key', where: keyEnv, model, models: [] }
    })
}

function ownFiles({ files, providers }: ProviderSources): readonly ProviderOffer[] {
  return [...files].map(([name, file]) => {
    const preset = providers.presets.get(name)
    const model = file.model ?? preset?.defaultModel ?? ''
    return { name, because: 'file', where: file.apiBase || preset?.apiBase || '', model, models: [] }
  })
}

/** A server on this machine that needs no key and speaks amber's own protocol. */
function isLocal(preset: InstalledPreset, { providers }: ProviderSources): boolean {
  const { apiBase = '', requiresKey, flavor } = preset
  return isLoopback(apiBase) && !requiresKey && !providers.flavors.has(flavor)
}

async function probe(
  { name, apiBase = '', defaultModel }: InstalledPreset,
  { transport, clock }: { readonly transport: Transport; readonly clock: Clock },
): Promise<ProviderOffer | undefined> {
  const listed = await listModels(
    { transport, clock, dialect: openAiDialect },
    { provider: name, apiBase, apiKey: '', model: '' },
    { signal: new AbortController().signal, totalMs: PROBE_MS },
  )
  // Any program may sit at the port: one that lists no model is no model server, or has nothing to offer.
  if (listed.kind === 'failed' || listed.models.length === 0) return undefined
  const models = listed.models.map(({ id }) => id)
  const model = defaultModel || (models.length === 1 ? (models[0] ?? '') : '')
  return { name, because: 'server', where: apiBase, model, models }
}
