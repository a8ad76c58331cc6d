import type { Allowance, Money } from '../../sdk/index.ts'
import type { Outcome } from '../base/outcome.ts'
import type { InstalledAllowance, InstalledPreset, InstalledWallet, Snapshot } from '../registry/snapshot.ts'
import { type AccountEndpoint, createAccountContext, type WatchedContext } from './account-context.ts'
import type { Transport } from './transport.ts'

/** What a provider says of an account; both are undefined when nothing honest is known (WAL-2). */
export interface Account {
  /** By currency, never added (WAL-4). */
  readonly balances: readonly Money[] | undefined
  readonly allowance: Allowance | undefined
}

/** What came of asking: an account, or no answer to go by. */
export type AccountAnswer =
  | { readonly kind: 'account'; readonly account: Account }
  | { readonly kind: 'failed' }

/** What asks for the account of one provider; undefined where no plugin declares any (WAL-6). */
export interface AccountSource {
  readonly wallet: InstalledWallet | undefined
  readonly allowance: InstalledAllowance | undefined
  readonly preset: InstalledPreset | undefined
}

/** Finds wallet and allowance by the provider that the manifests name, never by a plugin's id (bundled-plugins 2). */
export function findAccount(provider: string, snapshot: Snapshot): AccountSource | undefined {
  const wallet = snapshot.wallets.get(provider)
  const allowance = snapshot.allowances.get(provider)
  if (wallet === undefined && allowance === undefined) return undefined
  return { wallet, allowance, preset: snapshot.providers.presets.get(provider) }
}

/** Asks once. Never rejects: a plugin that throws or hangs is a failed answer (WAL-5). */
export async function askAccount(
  source: AccountSource,
  endpoint: AccountEndpoint,
  deps: { readonly transport: Transport; readonly signal: AbortSignal },
): Promise<AccountAnswer> {
  const presetBase = source.preset?.apiBase
  const context = createAccountContext(endpoint, {
    ...deps,
    ...(presetBase === undefined ? {} : { presetBase }),
  })
  const [wallet, allowance] = await Promise.all([
    settle(source.wallet, context),
    settle(source.allowance, context),
  ])
  if (wallet === FAULT || allowance === FAULT) return { kind: 'failed' }
  const silent = wallet === undefined && allowance === undefined
  if (silent && (context.failed() || deps.signal.aborted)) return { kind: 'failed' }
  return { kind: 'account', account: { balances: wallet, allowance } }
}

/** A plugin that threw or hung: no answer, where `undefined` is one. */
const FAULT = Symbol('fault')

async function settle<Value>(
  installed: { fetch(context: WatchedContext): Promise<Outcome<Value>> } | undefined,
  context: WatchedContext,
): Promise<Value | undefined | typeof FAULT> {
  const outcome = await installed?.fetch(context)
  if (outcome?.kind === 'fault') return FAULT
  return outcome?.kind === 'value' ? outcome.value : undefined
}
