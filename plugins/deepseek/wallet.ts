import { type Money, memberOf, numberOf } from 'amber-agent/sdk'

/** Where DeepSeek tells the balance (api-docs.deepseek.com, "Get User Balance"). */
export const BALANCE_URL = 'https://api.deepseek.com/user/balance'

/**
 * The balance of each currency from `balance_infos`, `total_balance` being a numeric text or a number. An account that
 * DeepSeek calls not available buys nothing, whatever is in it. Undefined for anything that is no such answer (WAL-2).
 */
export function readBalances(answer: unknown): readonly Money[] | undefined {
  const infos = memberOf(answer, 'balance_infos')
  if (!Array.isArray(infos)) return undefined
  const blocked = memberOf(answer, 'is_available') === false
  const balances = infos.flatMap((info: unknown): readonly Money[] => {
    const currency = memberOf(info, 'currency')
    const amount = numeric(memberOf(info, 'total_balance'))
    if (typeof currency !== 'string' || currency === '' || amount === undefined) return []
    return [{ amount, currency, ...(blocked ? { available: false } : {}) }]
  })
  // One that cannot be read makes the whole answer doubtful.
  return balances.length === infos.length && balances.length > 0 ? balances : undefined
}

function numeric(value: unknown): number | undefined {
  if (typeof value !== 'string') return numberOf(value)
  if (!/^-?\d+(\.\d+)?$/.test(value.trim())) return undefined
  return Number(value)
}
