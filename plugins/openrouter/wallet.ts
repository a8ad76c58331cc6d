/**
 * What is left of a key's limit, in US dollars, from the answer of `GET /key`: `data.limit_remaining`, else
 * `data.limit - data.usage`. Undefined for a key without a limit, and for anything that is no such answer (WAL-2).
 */
export function keyBalance(answer: unknown): number | undefined {
  const data = member(answer, 'data')
  const remaining = amount(member(data, 'limit_remaining'))
  if (remaining !== undefined) return remaining
  const limit = amount(member(data, 'limit'))
  const usage = amount(member(data, 'usage'))
  return limit === undefined || usage === undefined ? undefined : limit - usage
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
