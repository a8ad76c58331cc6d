import { memberOf, numberOf } from 'amber-agent/sdk'

/** Where Kilo tells the balance; the gateway's own address has no such thing (bundled-plugins 2). */
export const BALANCE_URL = 'https://api.kilo.ai/api/profile/balance'

/** US dollars from `balance`, else `available`; undefined for anything that is no such answer (WAL-2). */
export function readBalance(answer: unknown): number | undefined {
  return numberOf(memberOf(answer, 'balance')) ?? numberOf(memberOf(answer, 'available'))
}
