import type { Dialect } from '../../sdk/index.ts'
import type { Outcome } from '../base/outcome.ts'
import type { Contribution } from './contribution.ts'
import { handlerAt, hasMethod, invoke, mustHave } from './handler.ts'
import type { KindDefinition, KindTypes } from './kind.ts'
import type { InstalledFlavor, InstalledPreset, Providers } from './snapshot.ts'

type DeclaredProvider = KindTypes['provider']['declared']
type DeclaredPreset = DeclaredProvider['presets'][number]

/** A local server of a provider may take a while to come up. Milliseconds. */
const START_DEADLINE_MS = 60_000

const DIALECT_METHODS = [
  'chatUrl',
  'modelsUrl',
  'authHeaders',
  'buildChatBody',
  'parseCompletion',
  'makeDecoder',
  'parseModels',
  'parseModelList',
  'parseUsage',
  'isRetryable',
  'contextOverflowHint',
] as const satisfies readonly (keyof Dialect)[]

/** Providers: presets, and with `ownDialect` a wire protocol of their own (PRO-2, PRO-3). */
export const provider: KindDefinition<'provider'> = {
  field: 'providers',
  title: 'provider',
  declare: (manifest) =>
    manifest.capabilities.providers.map((declared) => {
      const { name } = declared
      const methods = [
        ...(declared.ownDialect ? ['dialect'] : []),
        ...(declared.presets.some(isStarted) ? ['start'] : []),
      ]
      return {
        kind: 'provider',
        name,
        declared,
        requires: declared.requires,
        files: [],
        handlers:
          methods.length === 0
            ? []
            : [{ path: ['providers', name], optional: false, check: mustHave(...methods) }],
        claims: [
          ...declared.presets.map((preset) => `provider:${preset.name}`),
          ...(declared.ownDialect ? [`flavor:${declared.flavor}`] : []),
        ],
      }
    }),
  install: (contribution) => [
    {
      presets: contribution.declared.presets.map((preset) => installPreset(contribution, preset)),
      flavor: contribution.declared.ownDialect ? installFlavor(contribution) : undefined,
    },
  ],
  combine(installed): Providers {
    const presets = installed.flatMap((one) => one.presets)
    const flavors = installed.flatMap((one) => one.flavor ?? [])
    return {
      presets: new Map(presets.map((one) => [one.name, one])),
      flavors: new Map(flavors.map((one) => [one.flavor, one])),
    }
  },
}

function isStarted(preset: DeclaredPreset): boolean {
  return preset.apiBase === undefined
}

function installPreset(
  contribution: Contribution<DeclaredProvider>,
  preset: DeclaredPreset,
): InstalledPreset {
  const { declared, plugin } = contribution
  return {
    name: preset.name,
    plugin,
    flavor: declared.flavor,
    apiBase: preset.apiBase,
    defaultModel: preset.defaultModel,
    requiresKey: preset.requiresKey,
    keyEnv: preset.keyEnv,
    mergeSystem: preset.mergeSystem,
    start: isStarted(preset) ? starter(contribution, preset.name) : undefined,
  }
}

function starter(
  { code, declared, plugin }: Contribution<DeclaredProvider>,
  preset: string,
): () => Promise<Outcome<{ readonly apiBase: string }>> {
  let started: Promise<Outcome<{ readonly apiBase: string }>> | undefined
  return async () => {
    started ??= code.run(
      `start of provider ${preset}`,
      async (entry, { signal }) => {
        const path = ['providers', declared.name] as const
        const answer = await invoke(entry, path, { method: 'start', args: [{ preset, signal }] })
        if (!hasApiBase(answer)) throw new TypeError(`start() of ${plugin} answered no {apiBase}`)
        return { apiBase: answer.apiBase }
      },
      { deadlineMs: START_DEADLINE_MS },
    )
    const outcome = await started
    // A start that failed may succeed when it is asked again.
    if (outcome.kind !== 'value') started = undefined
    return outcome
  }
}

function hasApiBase(value: unknown): value is { readonly apiBase: string } {
  return (
    typeof value === 'object' && value !== null && 'apiBase' in value && typeof value.apiBase === 'string'
  )
}

function installFlavor(contribution: Contribution<DeclaredProvider>): InstalledFlavor {
  const { code, declared, plugin } = contribution
  const path = ['providers', declared.name] as const
  return {
    flavor: declared.flavor,
    plugin,
    dialect: () =>
      code.run(
        `dialect ${declared.flavor}`,
        async (entry) => {
          const dialect = hasMethod(handlerAt(entry, path), 'dialect')
            ? await invoke(entry, path, { method: 'dialect', args: [] })
            : undefined
          if (!isDialect(dialect)) throw new TypeError(`dialect() answered no dialect: ${lacking(dialect)}`)
          return dialect
        },
        { deadlineMs: START_DEADLINE_MS },
      ),
  }
}

function isDialect(value: unknown): value is Dialect {
  return (
    typeof value === 'object' && value !== null && DIALECT_METHODS.every((name) => hasMethod(value, name))
  )
}

function lacking(value: unknown): string {
  const missing = DIALECT_METHODS.filter((name) => !hasMethod(value, name))
  return `lacks ${missing.join(', ')}`
}
