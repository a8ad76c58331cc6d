import type { ConfigFile } from '../../manifests/config-files.gen.ts'
import type { InstalledFlavor, InstalledPreset } from '../registry/snapshot.ts'
import {
  findKey,
  findProvider,
  type NamedProvider,
  type ProviderSources,
  providersWithKeys,
} from './provider-sources.ts'
import {
  badAddress,
  goneFlavor,
  incomplete,
  keyMissing,
  keyWithoutName,
  MISSING,
  noneChosen,
  nothingConfigured,
  type SelectionProblem,
  unknownProvider,
} from './select-problems.ts'
import { isLoopback } from './url.ts'

/** Which model of which provider is spoken to, where, as whom and in which protocol. */
export interface SelectedProvider {
  readonly kind: 'resolved'
  readonly provider: string
  readonly model: string
  /** Undefined when `start` says it. */
  readonly apiBase: string | undefined
  /** Starts the provider's own server. */
  readonly start: InstalledPreset['start']
  /** Empty when there is none. */
  readonly apiKey: string
  readonly keyEnv: string | undefined
  readonly flavor: string
  /** The plugin's protocol; undefined for `openai`, which is amber's own. */
  readonly dialect: InstalledFlavor | undefined
  readonly mergeSystem: boolean
  /** In tokens, as the provider's file says. */
  readonly contextWindow: number | undefined
  /** In tokens, as the settings say: where nobody else does. */
  readonly assumedContextWindow: number | undefined
  /** As the settings say. */
  readonly reasoningEffort: ConfigFile['reasoningEffort']
  /** Chosen because nothing is configured: the user is to be told that it is no model (interfaces 1). */
  readonly rehearsal: boolean
  /** Providers whose key is set, and the user's own, to be offered by name. */
  readonly offers: readonly string[]
  /** Said once (PRO-5). */
  readonly notices: readonly string[]
}

/** A choice, or the error of code `configuration` that says what is missing. */
export type Selection = SelectedProvider | SelectionProblem

const REHEARSAL = 'rehearsal'
const CUSTOM = 'custom'

/**
 * Resolves the provider: flags beat environment, environment beats files (interfaces 2). With nobody at the terminal
 * (`interactive` false) a key that is set and no name is a problem, for a key is never used without being named.
 */
export function selectProvider(sources: ProviderSources, interactive: boolean): Selection {
  const named = nameOf(sources)
  if (named !== undefined) return resolveNamed(named, sources)
  const keys = providersWithKeys(sources)
  if (keys.length > 0 && !interactive) return keyWithoutName(keys)
  if (sources.env.AMBER_API_KEY?.trim() && !interactive) {
    return keyWithoutName([{ name: 'NAME', keyEnv: 'AMBER_API_KEY' }])
  }
  if (sources.files.size > 1 && !interactive) return noneChosen(sources.files.keys())
  const rehearsal = findProvider(REHEARSAL, sources)
  if (rehearsal === undefined) return nothingConfigured(sources)
  const selected = resolve(rehearsal, sources)
  if (selected.kind === 'problem') return selected
  return { ...selected, rehearsal: true, offers: [...keys.map(({ name }) => name), ...sources.files.keys()] }
}

/** Whether the user has named a provider anywhere; without that amber may offer, and never takes (interfaces 1). */
export function isChosen(sources: ProviderSources): boolean {
  return nameOf(sources) !== undefined
}

/** The name that is given: by flag, environment or settings; an address alone means `custom`, and one file alone itself. */
function nameOf({ flags, env, config, files }: ProviderSources): string | undefined {
  const given = flags.provider || env.AMBER_PROVIDER?.trim() || config.provider
  if (given) return given
  if (flags.apiBase || env.AMBER_API_BASE?.trim()) return CUSTOM
  const [only, ...others] = files.keys()
  return others.length === 0 ? only : undefined
}

function resolveNamed(name: string, sources: ProviderSources): Selection {
  const found = findProvider(name, sources)
  if (found !== undefined) return resolve(found, sources)
  if (givenBase(sources) !== undefined) return resolve({ name, preset: undefined, file: undefined }, sources)
  return unknownProvider(name, sources)
}

function resolve(found: NamedProvider, sources: ProviderSources): Selection {
  const { name, preset, file } = found
  const given = givenBase(sources)
  const apiBase = given ?? (file?.apiBase || preset?.apiBase)
  const starts = given === undefined && !file?.apiBase && preset?.start !== undefined
  const model = modelOf(found, sources)
  const missing = [
    ...(starts || apiBase ? [] : [MISSING.apiBase]),
    ...(model === '' && !sources.flags.anyModel ? [MISSING.model] : []),
  ]
  if (missing.length > 0) return incomplete(found, missing, sources)
  if (apiBase !== undefined && !starts && !isHttp(apiBase)) return badAddress(name, apiBase)
  const key = keyOf(found, sources)
  if (key.key === '' && needsKey(found, given)) return keyMissing(name, key.keyEnv)
  const flavor = file?.flavor ?? preset?.flavor ?? 'openai'
  const spoken = dialectOf(flavor, sources)
  if (spoken.kind === 'problem') return spoken
  return {
    kind: 'resolved',
    provider: name,
    model,
    apiBase: starts ? undefined : apiBase,
    start: starts ? preset?.start : undefined,
    apiKey: key.key,
    keyEnv: key.keyEnv,
    flavor: spoken.dialect?.flavor ?? 'openai',
    dialect: spoken.dialect,
    mergeSystem: file?.mergeSystem ?? preset?.mergeSystem ?? false,
    contextWindow: file?.contextWindow,
    assumedContextWindow: sources.config.contextWindow,
    reasoningEffort: sources.config.reasoningEffort,
    rehearsal: false,
    offers: [],
    notices: spoken.notices,
  }
}

function givenBase({ flags, env }: ProviderSources): string | undefined {
  return flags.apiBase?.trim() || env.AMBER_API_BASE?.trim() || undefined
}

/** The model of `config.json` goes with the provider of `config.json`. */
function modelOf({ name, preset, file }: NamedProvider, { flags, env, config }: ProviderSources): string {
  const configured = config.provider === undefined || config.provider === name ? config.model : undefined
  const given = flags.model?.trim() || env.AMBER_MODEL?.trim()
  return given || configured || file?.model || preset?.defaultModel || ''
}

function keyOf(found: NamedProvider, { env }: ProviderSources) {
  const own = findKey(found, env)
  const given = env.AMBER_API_KEY?.trim() ?? ''
  return given === '' ? own : { key: given, keyEnv: 'AMBER_API_KEY' }
}

/** A vendor's preset needs the vendor's key; the same preset pointed at this machine is the user's own server. */
function needsKey({ preset, file }: NamedProvider, given: string | undefined): boolean {
  if (given !== undefined && isLoopback(given)) return false
  return file?.requiresKey ?? preset?.requiresKey ?? false
}

function isHttp(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
}

type Spoken =
  | {
      readonly kind: 'spoken'
      readonly dialect: InstalledFlavor | undefined
      readonly notices: readonly string[]
    }
  | SelectionProblem

/** PRO-5: a flavor that nobody knows is taken for `openai`, with a notice; one that is switched off fails. */
function dialectOf(flavor: string, { providers, unavailable }: ProviderSources): Spoken {
  if (flavor === 'openai') return { kind: 'spoken', dialect: undefined, notices: [] }
  const dialect = providers.flavors.get(flavor)
  if (dialect !== undefined) return { kind: 'spoken', dialect, notices: [] }
  const gone = unavailable.get(`flavor:${flavor}`)
  if (gone !== undefined) return goneFlavor(flavor, gone)
  const notice = `No plugin brings the protocol "${flavor}"; amber speaks openai to this provider instead.`
  return { kind: 'spoken', dialect: undefined, notices: [notice] }
}
