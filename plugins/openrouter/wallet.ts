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
  const data = member(answer, 'data')
  const limit = amount(member(data, 'limit'))
  const usage = amount(member(data, 'usage'))
  const left = limit === undefined || usage === undefined ? undefined : limit - usage
  return {
    balance: amount(member(data, 'limit_remaining')) ?? left,
    manages: member(data, 'is_management_key') === true || member(data, 'is_provisioning_key') === true,
  }
}

/**
 * What is left of the account, in US dollars, from the answer of `GET /credits`: what was bought less what was used
 * (openrouter.ai/docs/api/api-reference/credits/get-credits). Undefined for anything else (WAL-2).
 */
export function accountBalance(answer: unknown): number | undefined {
  const data = member(answer, 'data')
  const bought = amount(member(data, 'total_credits'))
  const used = amount(member(data, 'total_usage'))
  return bought === undefined || used === undefined ? undefined : bought - used
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
