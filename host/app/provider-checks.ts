import type { ProviderFile } from '../../manifests/config-files.gen.ts'
import { readConfigFile } from '../../manifests/read-config-file.ts'
import { AmberError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import { isLoopback } from '../llm/url.ts'
import type { InstalledPreset, Snapshot } from '../registry/snapshot.ts'

/** A misspelt protocol would silently be taken for `openai` (PRO-5). Throws an AmberError that names those there are. */
export function checkFlavor(flavor: string | undefined, { providers, unavailable }: Snapshot): void {
  if (flavor === undefined || flavor === 'openai' || providers.flavors.has(flavor)) return
  const gone = unavailable.get(`flavor:${flavor}`)
  if (gone !== undefined) {
    const message = `The protocol ${flavor} belongs to the plugin ${gone.plugin}, which ${gone.why}.`
    throw new AmberError('failed', message, gone.remedy)
  }
  const known = ['openai', ...providers.flavors.keys()]
  const near = didYouMean(flavor, known)
  const hint = near || `There are: ${known.join(', ')}.`
  throw new AmberError('failed', `No plugin brings the protocol ${flavor}.`, hint)
}

/** What a provider's file would be judged as, before it is written. Rejects with an AmberError. */
export async function checkProviderFile(file: ProviderFile, name: string): Promise<void> {
  const text = JSON.stringify({ provider: name, ...file })
  const { diagnostics } = await readConfigFile('provider', text, `${name}.json`)
  const first = diagnostics.find((one) => one.severity === 'error')
  if (first !== undefined) throw new AmberError('failed', first.message, first.hint ?? 'Nothing was written.')
}

/** Why there is no provider of a name: its plugin is off, or nothing goes by it; the nearest names are told. */
export function noSuchProvider(
  { unavailable }: Pick<Snapshot, 'unavailable'>,
  name: string,
  { names, all }: { readonly names: readonly string[]; readonly all: string },
): AmberError {
  const gone = unavailable.get(`provider:${name}`)
  if (gone !== undefined) {
    const message = `The provider ${name} belongs to the plugin ${gone.plugin}, which ${gone.why}.`
    return new AmberError('failed', message, gone.remedy)
  }
  const hint = didYouMean(name, names) || `See them all: ${all}`
  return new AmberError('failed', `There is no provider ${name}.`, hint)
}

/** Whether a file holds a key, or names the variable that does. */
export function hasKey({ apiKey, apiKeyEnv }: ProviderFile): boolean {
  return (apiKey ?? '') !== '' || apiKeyEnv !== undefined
}

/** The warning for a key that would cross a network readable by all; undefined where none is due. */
export function clearTextWarning(
  file: ProviderFile,
  preset: Pick<InstalledPreset, 'apiBase'> | undefined,
): string | undefined {
  const address = file.apiBase ?? preset?.apiBase ?? ''
  if (!/^http:/i.test(address) || isLoopback(address) || !hasKey(file)) return undefined
  return 'The address is http, not https: the key will cross the network in the clear.'
}
