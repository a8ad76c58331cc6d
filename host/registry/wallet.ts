import type { Money } from '../../sdk/index.ts'
import { invoke, mustBeFunction } from './handler.ts'
import { byName, type KindDefinition } from './kind.ts'

/** How long a balance may take: the transport's own 20 s and a little (bundled-plugins 2). */
export const ACCOUNT_DEADLINE_MS = 25_000

/** The balance of one provider: the plugin supplies the fetch alone (WAL-1). */
export const wallet: KindDefinition<'wallet'> = {
  field: 'wallets',
  title: 'wallet',
  declare: (manifest) =>
    manifest.capabilities.wallets.map((declared) => ({
      kind: 'wallet',
      name: declared.provider,
      declared,
      requires: declared.requires,
      files: [],
      handlers: [{ path: ['wallets', declared.provider], optional: false, check: mustBeFunction }],
      claims: [`wallet:${declared.provider}`],
    })),
  install: ({ declared, plugin, code }) => [
    {
      provider: declared.provider,
      plugin,
      currency: declared.currency,
      fetch: (context) =>
        code.run(
          `wallet ${declared.provider}`,
          async (entry) =>
            readBalance(
              await invoke(entry, ['wallets', declared.provider], { args: [context] }),
              declared.currency,
            ),
          { signal: context.signal, deadlineMs: ACCOUNT_DEADLINE_MS },
        ),
    },
  ],
  combine: (installed) => byName(installed, (one) => one.provider),
}

/** Shapes a balance that a plugin answered; nonsense is undefined, and currencies stay apart (WAL-2, WAL-4). */
function readBalance(value: unknown, currency: string): readonly Money[] | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? [{ amount: value, currency }] : undefined
  if (!Array.isArray(value) || value.length === 0) return undefined
  const amounts = value.flatMap((one: unknown) =>
    isMoney(one)
      ? [
          {
            amount: one.amount,
            currency: one.currency,
            ...(one.available === false ? { available: false } : {}),
          },
        ]
      : [],
  )
  return amounts.length === value.length ? amounts : undefined
}

function isMoney(value: unknown): value is Money {
  return (
    typeof value === 'object' &&
    value !== null &&
    'amount' in value &&
    typeof value.amount === 'number' &&
    Number.isFinite(value.amount) &&
    'currency' in value &&
    typeof value.currency === 'string'
  )
}
