/** Where Kilo tells the balance; the gateway's own address has no such thing (bundled-plugins 2). */
export const BALANCE_URL = 'https://api.kilo.ai/api/profile/balance'

/** US dollars from `balance`, else `available`; undefined for anything that is no such answer (WAL-2). */
export function readBalance(answer: unknown): number | undefined {
  return amount(answer, 'balance') ?? amount(answer, 'available')
}

function amount(answer: unknown, name: string): number | undefined {
  if (typeof answer !== 'object' || answer === null || !Object.hasOwn(answer, name)) return undefined
  const value: unknown = Reflect.get(answer, name)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
