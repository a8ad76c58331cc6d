import type { Money } from 'amber-agent/sdk'

/** Where DeepSeek tells the balance (api-docs.deepseek.com, "Get User Balance"). */
export const BALANCE_URL = 'https://api.deepseek.com/user/balance'

/**
 * The balance of each currency from `balance_infos`, `total_balance` being a numeric text or a number. An account that
 * DeepSeek calls not available buys nothing, whatever is in it. Undefined for anything that is no such answer (WAL-2).
 */
export function readBalances(answer: unknown): readonly Money[] | undefined {
  const infos = member(answer, 'balance_infos')
  if (!Array.isArray(infos)) return undefined
  const blocked = member(answer, 'is_available') === false
  const balances = infos.flatMap((info: unknown): readonly Money[] => {
    const currency = member(info, 'currency')
    const amount = numeric(member(info, 'total_balance'))
    if (typeof currency !== 'string' || currency === '' || amount === undefined) return []
    return [{ amount, currency, ...(blocked ? { available: false } : {}) }]
  })
  // One that cannot be read makes the whole answer doubtful.
  return balances.length === infos.length && balances.length > 0 ? balances : undefined
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Reflect.get(value, name)
}

function numeric(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?$/.test(value.trim())) return undefined
  return Number(value)
}
