import { AmberError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import type { UnavailableName } from '../registry/snapshot.ts'
import { allProviders, type NamedProvider, type ProviderSources } from './provider-sources.ts'

/** Why no model can be reached as configured; the error's code is `configuration` (exit code 3). */
export interface SelectionProblem {
  readonly kind: 'problem'
  readonly error: AmberError
}

function problem(message: string, hint: string): SelectionProblem {
  return { kind: 'problem', error: new AmberError('configuration', message, hint) }
}

/** What may be missing: in words, as a flag, as a variable. */
export const MISSING = {
  apiBase: ['the address of its API', '--api-base URL', 'AMBER_API_BASE'],
  model: ['the name of a model', '--model NAME', 'AMBER_MODEL'],
} as const

/** Says exactly what is missing, and, where a plugin that is off would have filled it in, which. */
export function incomplete(
  { name }: NamedProvider,
  missing: readonly (readonly [string, string, string])[],
  { unavailable }: ProviderSources,
): SelectionProblem {
  const what = missing.map(([thing]) => thing).join(' and ')
  const gone = unavailable.get(`provider:${name}`)
  if (gone !== undefined) {
    return problem(
      `The provider ${name} lacks ${what}: the plugin ${gone.plugin}, which would say it, ${gone.why}.`,
      gone.remedy,
    )
  }
  const flags = missing.map(([, flag]) => flag).join(' and ')
  const variables = missing.map(([, , variable]) => variable).join(' and ')
  return problem(
    `The provider ${name} lacks ${what}.`,
    `Give ${flags}, or set ${variables}, or use: amber provider add ${name}`,
  )
}

/** The address is none. */
export function badAddress(name: string, apiBase: string): SelectionProblem {
  return problem(
    `The API base of ${name} is no address: ${JSON.stringify(apiBase)}.`,
    'Write it whole, with http:// or https://.',
  )
}

/** A key is needed, and there is none. */
export function keyMissing(name: string, keyEnv: string | undefined): SelectionProblem {
  const variable = keyEnv ?? 'AMBER_API_KEY'
  return problem(
    `The provider ${name} needs a key, and there is none.`,
    `Set ${variable}, or store one with: amber provider add ${name}`,
  )
}

/** A key is set, but nobody asked for its provider (interfaces 1). */
export function keyWithoutName(
  keys: readonly { readonly name: string; readonly keyEnv: string | undefined }[],
): SelectionProblem {
  const flags = keys.map(({ name }) => `--provider ${name}`)
  const variables = keys.map(({ keyEnv }) => keyEnv).join(', ')
  return problem(
    `No provider is named. ${variables} ${keys.length === 1 ? 'is' : 'are'} set, but a key is never used without being asked for.`,
    `Write ${flags.join(' or ')}; --provider rehearsal needs no key and no model.`,
  )
}

/** The user has several providers and chose none. */
export function noneChosen(names: Iterable<string>): SelectionProblem {
  return problem(
    'Several providers are configured, and none is chosen.',
    `Write --provider with one of ${[...names].join(', ')}, or choose one for good with: amber provider use NAME`,
  )
}

/** Not even the rehearsal is there. */
export function nothingConfigured({ unavailable }: ProviderSources): SelectionProblem {
  const gone = unavailable.get(`provider:rehearsal`)
  return problem(
    'No provider is configured.',
    gone?.remedy ?? 'See amber provider list, or give --api-base and --model.',
  )
}

/** Nothing goes by this name, or what does is switched off. */
export function unknownProvider(name: string, sources: ProviderSources): SelectionProblem {
  const gone = sources.unavailable.get(`provider:${name}`)
  if (gone !== undefined) return goneProblem(`The provider ${name}`, gone)
  const near = didYouMean(
    name,
    allProviders(sources).map((provider) => provider.name),
  )
  return problem(
    `There is no provider ${name}.`,
    `${near === '' ? '' : `${near} `}amber provider list shows them; an endpoint of your own needs --api-base as well.`,
  )
}

/** The protocol's plugin is switched off or broken (PRO-5). */
export function goneFlavor(flavor: string, gone: UnavailableName): SelectionProblem {
  return goneProblem(`The protocol ${flavor}`, gone)
}

function goneProblem(what: string, gone: UnavailableName): SelectionProblem {
  return problem(`${what} belongs to the plugin ${gone.plugin}, which ${gone.why}.`, gone.remedy)
}
