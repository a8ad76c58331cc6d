import type { Clock } from '../base/clock.ts'
import type { Account } from './account.ts'
import type { AccountEndpoint } from './account-context.ts'

/** How old a value may grow while asking again fails; then it is a dash (WAL-5). In milliseconds. */
export const STALE_MS = 300_000

/** What is known of each account, kept while the host runs. */
export interface AccountCache {
  /** Milliseconds since it was last asked for; infinite before the first time. */
  sinceAsked(endpoint: AccountEndpoint): number
  asking(endpoint: AccountEndpoint): void
  learned(endpoint: AccountEndpoint, account: Account): void
  /** Asking failed; answers how long the old value still holds, undefined when there is none. */
  failed(endpoint: AccountEndpoint): number | undefined
  /** Undefined when nothing honest is known. */
  value(endpoint: AccountEndpoint): Account | undefined
}

interface Entry {
  account: Account | undefined
  /** Both in milliseconds of the monotonic clock. */
  learnedAt: number
  askedAt: number
  failing: boolean
}

/** Makes an empty cache. Another key or address of a provider is another account. */
export function createAccountCache(clock: Clock): AccountCache {
  const entries = new Map<string, Entry>()
  const find = ({ provider, apiBase, apiKey }: AccountEndpoint) =>
    entries.get(JSON.stringify([provider, apiBase, apiKey]))
  const entryOf = (endpoint: AccountEndpoint): Entry => {
    const found = find(endpoint)
    if (found !== undefined) return found
    const entry = { account: undefined, learnedAt: 0, askedAt: Number.NEGATIVE_INFINITY, failing: false }
    entries.set(JSON.stringify([endpoint.provider, endpoint.apiBase, endpoint.apiKey]), entry)
    return entry
  }
  const left = ({ learnedAt }: Entry) => STALE_MS - (clock.monotonic() - learnedAt)
  return {
    sinceAsked: (endpoint) => clock.monotonic() - entryOf(endpoint).askedAt,
    asking(endpoint) {
      entryOf(endpoint).askedAt = clock.monotonic()
    },
    learned(endpoint, account) {
      Object.assign(entryOf(endpoint), { account, learnedAt: clock.monotonic(), failing: false })
    },
    failed(endpoint) {
      const entry = entryOf(endpoint)
      entry.failing = true
      return entry.account === undefined ? undefined : left(entry)
    },
    value(endpoint) {
      const entry = find(endpoint)
      return entry === undefined || (entry.failing && left(entry) <= 0) ? undefined : entry.account
    },
  }
}
