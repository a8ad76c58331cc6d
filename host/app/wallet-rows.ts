import type { AllowanceWindow } from '../../sdk/index.ts'
import { sanitiseLine } from '../base/sanitise.ts'
import type { Account } from '../llm/account.ts'
import { moneyText, UNKNOWN } from '../llm/account-readout.ts'

/** Balances and quota windows as rows of cells; one dash where nothing is known (WAL-2). Currencies stay apart (WAL-4). */
export function walletRows(provider: string, account: Account | undefined): readonly (readonly string[])[] {
  const { allowance, balances = [] } = account ?? {}
  const credits =
    balances.length === 0 && allowance?.creditsBalance !== undefined
      ? [{ amount: allowance.creditsBalance, currency: allowance.currency ?? 'USD' }]
      : balances
  const rows = [
    ...(allowance?.plan === undefined ? [] : [[provider, 'plan', sanitiseLine(allowance.plan)]]),
    ...credits.map((money) => [provider, 'balance', moneyText(money)]),
    ...(allowance?.windows ?? []).map((window) => [provider, sanitiseLine(window.label), windowText(window)]),
  ]
  return rows.length > 0 ? rows : [[provider, 'balance', UNKNOWN]]
}

function windowText({ percentUsed, remaining, entitlement, resetsAt }: AllowanceWindow): string {
  const used = percentUsed === undefined ? [] : [`${Math.round(percentUsed)}% used`]
  const of = entitlement === undefined ? '' : ` of ${entitlement}`
  const left = remaining === undefined ? [] : [`${remaining}${of} left`]
  const anew = resetsAt === undefined ? [] : [`anew ${sanitiseLine(resetsAt)}`]
  const parts = [...used, ...left, ...anew]
  return parts.length === 0 ? UNKNOWN : parts.join(', ')
}
