import type { ConfigFile, ProviderFile } from '../../manifests/config-files.gen.ts'
import type { InstalledPreset, Providers, UnavailableName } from '../registry/snapshot.ts'

/** Everywhere that a provider, its address, model and key can be named. Plain data, read beforehand. */
export interface ProviderSources {
  readonly flags: {
    readonly provider?: string
    readonly model?: string
    readonly apiBase?: string
    /** Nothing is to be asked of a model: a provider without one will do, for its model list. */
    readonly anyModel?: boolean
  }
  readonly env: Readonly<Record<string, string | undefined>>
  /** `config.json`. */
  readonly config: Pick<ConfigFile, 'provider' | 'model' | 'reasoningEffort' | 'contextWindow'>
  /** `providers/NAME.json`, by name. */
  readonly files: ReadonlyMap<string, ProviderFile>
  readonly providers: Providers
  /** Names whose plugin is switched off or broken, by `provider:NAME` and `flavor:NAME`. */
  readonly unavailable: ReadonlyMap<string, UnavailableName>
}

/** A provider of some name: its preset, its file, or both (PRO-6). */
export interface NamedProvider {
  readonly name: string
  readonly preset: InstalledPreset | undefined
  readonly file: ProviderFile | undefined
}

/** What is known by a name; undefined when nothing is. */
export function findProvider(name: string, sources: ProviderSources): NamedProvider | undefined {
  const file = sources.files.get(name)
  const preset = sources.providers.presets.get(name)
  return file === undefined && preset === undefined ? undefined : { name, preset, file }
}

/** Every name that a preset or a file has: presets in their order, then files. */
export function allProviders(sources: ProviderSources): readonly NamedProvider[] {
  const names = new Set([...sources.providers.presets.keys(), ...sources.files.keys()])
  return [...names].flatMap((name) => findProvider(name, sources) ?? [])
}

/** The key of a provider and the variable that it is in or belongs in. */
export interface FoundKey {
  /** Empty when there is none. */
  readonly key: string
  readonly keyEnv: string | undefined
}

/**
 * Finds a provider's key: the variable that its file names, the key in the file, then the preset's variables. The first
 * of them is what a message tells the user to set.
 */
export function findKey(
  { file, preset }: Omit<NamedProvider, 'name'>,
  env: Readonly<Record<string, string | undefined>>,
): FoundKey {
  const value = (name: string | undefined) => (name === undefined ? '' : (env[name]?.trim() ?? ''))
  const own = value(file?.apiKeyEnv)
  if (own !== '') return { key: own, keyEnv: file?.apiKeyEnv }
  const written = file?.apiKey?.trim() ?? ''
  if (written !== '') return { key: written, keyEnv: undefined }
  const variables = preset?.keyEnv ?? []
  const set = variables.find((name) => value(name) !== '')
  if (set !== undefined) return { key: value(set), keyEnv: set }
  return { key: '', keyEnv: file?.apiKeyEnv ?? variables[0] }
}

/** The providers whose key is set in the environment: what amber offers, and never takes without being told (interfaces 1). */
export function providersWithKeys(
  sources: ProviderSources,
): readonly (FoundKey & { readonly name: string })[] {
  return [...sources.providers.presets.values()].flatMap((preset) => {
    const set = preset.keyEnv.find((name) => (sources.env[name]?.trim() ?? '') !== '')
    return set === undefined ? [] : [{ name: preset.name, key: '', keyEnv: set }]
  })
}
