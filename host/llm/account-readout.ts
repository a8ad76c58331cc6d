import type { AllowanceWindow, Money, StatusTone } from '../../sdk/index.ts'
import type { Account } from './account.ts'

/** What the bar shows of an account (WAL-3): one text, and which of the two segments it stands in. */
export interface AccountReadout {
  readonly provider: string
  readonly shows: 'balance' | 'window' | 'nothing'
  /** `$12.35`, `5h 40%`; `-` when nothing honest is known (WAL-2). */
  readonly text: string
  readonly tone: StatusTone
  readonly account: Account | undefined
}

/** The text for what is not known. */
export const UNKNOWN = '-'

const WARN_PERCENT = 75
const CRIT_PERCENT = 90
const SIGNS: Readonly<Record<string, string>> = { USD: '$', EUR: '€', GBP: '£', CNY: '¥' }
const HOURS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 168 }
const MONTH_HOURS = 720

/** The balance when there is one, else the window that is closest to interrupting work, else a dash. */
export function readAccount(provider: string, account: Account | undefined): AccountReadout {
  const money = account === undefined ? undefined : balanceOf(account)
  if (money !== undefined) {
    const { amount, available } = money
    const tone = available === false || amount <= 0 ? 'crit' : 'dim'
    return { provider, shows: 'balance', text: moneyText(money), tone, account }
  }
  const window = closestWindow(account?.allowance?.windows ?? [])
  if (window?.percentUsed === undefined) {
    return { provider, shows: 'nothing', text: UNKNOWN, tone: 'dim', account }
  }
  const text = `${window.label} ${Math.round(window.percentUsed)}%`
  return { provider, shows: 'window', text, tone: percentTone(window.percentUsed), account }
}

/** In the currency that has money, US dollars first; amounts are never added (WAL-4). */
function balanceOf({ balances, allowance }: Account): Money | undefined {
  const credits = allowance?.creditsBalance
  const all =
    balances ?? (credits === undefined ? [] : [{ amount: credits, currency: allowance?.currency ?? 'USD' }])
  const dollars = [...all].sort(
    (left, right) => Number(right.currency === 'USD') - Number(left.currency === 'USD'),
  )
  return dollars.find(({ amount }) => amount > 0) ?? dollars[0]
}

/**
 * The highest known percentage; ties go to the shortest label, then to the shorter window (WAL-3). A window whose
 * percentage is not known never wins.
 */
export function closestWindow(windows: readonly AllowanceWindow[]): AllowanceWindow | undefined {
  const known = windows.filter(({ percentUsed }) => percentUsed !== undefined)
  return known.sort(
    (left, right) =>
      (right.percentUsed ?? 0) - (left.percentUsed ?? 0) ||
      left.label.length - right.label.length ||
      hoursOf(left.label) - hoursOf(right.label),
  )[0]
}

/** 5h < 24h < 7d < monthly; a label that names no time stands last. */
function hoursOf(label: string): number {
  if (/^month/i.test(label)) return MONTH_HOURS
  const named = /^(\d+)([hdw])$/.exec(label)
  return named === null ? Number.MAX_SAFE_INTEGER : Number(named[1]) * (HOURS[named[2] ?? ''] ?? 1)
}

function percentTone(percent: number): StatusTone {
  if (percent >= CRIT_PERCENT) return 'crit'
  return percent >= WARN_PERCENT ? 'warn' : 'dim'
}

/** An amount as people write it. One that would round to nothing is not told as nothing. */
export function moneyText({ amount, currency }: Money): string {
  const size = Math.abs(amount)
  const digits = size > 0 && size < 0.01 ? '<0.01' : size.toFixed(2)
  const sign = SIGNS[currency]
  const text =
    sign === undefined
      ? `${digits} ${currency}`
      : digits.startsWith('<')
        ? `<${sign}0.01`
        : `${sign}${digits}`
  return amount < 0 ? `-${text}` : text
}
