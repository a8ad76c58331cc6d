import { memberOf, numberOf } from 'amber-agent/sdk'

/** What a key's own answer says: the balance when it has a limit, and whether it is a management key. */
export interface KeyAnswer {
  readonly balance: number | undefined
  readonly manages: boolean
}

/**
 * What is left of a key's limit, in US dollars, from the answer of `GET /key`: `data.limit_remaining`, else
 * `data.limit - data.usage`. Undefined for a key without a limit, and for anything that is no such answer (WAL-2).
 */
export function readKey(answer: unknown): KeyAnswer {
  const data = memberOf(answer, 'data')
  const limit = numberOf(memberOf(data, 'limit'))
  const usage = numberOf(memberOf(data, 'usage'))
  const left = limit === undefined || usage === undefined ? undefined : limit - usage
  return {
    balance: numberOf(memberOf(data, 'limit_remaining')) ?? left,
    manages: memberOf(data, 'is_management_key') === true || memberOf(data, 'is_provisioning_key') === true,
  }
}

/**
 * What is left of the account, in US dollars, from the answer of `GET /credits`: what was bought less what was used
 * (openrouter.ai/docs/api/api-reference/credits/get-credits). Undefined for anything else (WAL-2).
 */
export function accountBalance(answer: unknown): number | undefined {
  const data = memberOf(answer, 'data')
  const bought = numberOf(memberOf(data, 'total_credits'))
  const used = numberOf(memberOf(data, 'total_usage'))
  return bought === undefined || used === undefined ? undefined : bought - used
}
