import { allProviders, findKey, type ProviderSources } from './provider-sources.ts'
import { selectProvider } from './select.ts'

/** One line of `provider list` (interfaces 2). */
export interface ListedProvider {
  readonly name: string
  /** Null for one that stands in the user's files alone. */
  readonly plugin: string | null
  readonly flavor: string
  /** Empty when the provider starts a server of its own, or the user is to give it. */
  readonly apiBase: string
  readonly defaultModel: string
  readonly requiresKey: boolean
  readonly hasKey: boolean
  /** The one that a run would use now. */
  readonly active: boolean
}

/** Presets and files, merged by name (PRO-1, PRO-6): a file's fields win, a preset fills what it leaves out. */
export function listProviders(sources: ProviderSources): readonly ListedProvider[] {
  const selection = selectProvider(sources, true)
  const active = selection.kind === 'resolved' ? selection.provider : undefined
  return allProviders(sources).map((found) => {
    const { name, preset, file } = found
    return {
      name,
      plugin: preset?.plugin ?? null,
      flavor: file?.flavor ?? preset?.flavor ?? 'openai',
      apiBase: file?.apiBase || preset?.apiBase || '',
      defaultModel: file?.model ?? preset?.defaultModel ?? '',
      requiresKey: file?.requiresKey ?? preset?.requiresKey ?? false,
      hasKey: findKey(found, sources.env).key !== '',
      active: name === active,
    }
  })
}
