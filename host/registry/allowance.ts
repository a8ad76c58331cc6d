import type { Allowance } from '../../sdk/index.ts'
import { invoke, mustBeFunction } from './handler.ts'
import { byName, type KindDefinition } from './kind.ts'
import { ACCOUNT_DEADLINE_MS } from './wallet.ts'

/** The quota windows of one provider: the plugin supplies the fetch alone (WAL-1). */
export const allowance: KindDefinition<'allowance'> = {
  field: 'allowances',
  title: 'allowance',
  declare: (manifest) =>
    manifest.capabilities.allowances.map((declared) => ({
      kind: 'allowance',
      name: declared.provider,
      declared,
      requires: declared.requires,
      files: [],
      handlers: [{ path: ['allowances', declared.provider], optional: false, check: mustBeFunction }],
      claims: [`allowance:${declared.provider}`],
    })),
  install: ({ declared, plugin, code }) => [
    {
      provider: declared.provider,
      plugin,
      fetch: (context) =>
        code.run(
          `allowance ${declared.provider}`,
          async (entry) =>
            readAllowance(await invoke(entry, ['allowances', declared.provider], { args: [context] })),
          { signal: context.signal, deadlineMs: ACCOUNT_DEADLINE_MS },
        ),
    },
  ],
  combine: (installed) => byName(installed, (one) => one.provider),
}

/** Shapes an allowance that a plugin answered: nonsense is undefined, never an invented value (WAL-2). */
export function readAllowance(value: unknown): Allowance | undefined {
  if (typeof value !== 'object' || value === null || !('windows' in value) || !Array.isArray(value.windows)) {
    return undefined
  }
  const windows = value.windows.flatMap((window: unknown) => {
    if (typeof window !== 'object' || window === null || !('label' in window)) return []
    if (typeof window.label !== 'string' || window.label === '') return []
    return [
      {
        label: window.label,
        ...numberField(window, 'percentUsed'),
        ...numberField(window, 'remaining'),
        ...numberField(window, 'entitlement'),
        ...textField(window, 'resetsAt'),
      },
    ]
  })
  return {
    windows,
    ...textField(value, 'plan'),
    ...numberField(value, 'creditsBalance'),
    ...textField(value, 'unit'),
    ...textField(value, 'currency'),
  }
}

function numberField<Name extends string>(value: object, name: Name): { readonly [Key in Name]?: number } {
  const found: unknown = Reflect.get(value, name)
  return typeof found === 'number' && Number.isFinite(found) ? record(name, found) : {}
}

function textField<Name extends string>(value: object, name: Name): { readonly [Key in Name]?: string } {
  const found: unknown = Reflect.get(value, name)
  return typeof found === 'string' && found !== '' ? record(name, found) : {}
}

function record<Name extends string, Value>(name: Name, value: Value): { readonly [Key in Name]: Value } {
  return { [name]: value } as { readonly [Key in Name]: Value }
}
