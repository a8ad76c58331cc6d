import type { Clock } from '../base/clock.ts'
import type { Dispose } from '../base/disposable.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import { type AccountAnswer, askAccount, findAccount } from './account.ts'
import { createAccountCache } from './account-cache.ts'
import type { AccountEndpoint } from './account-context.ts'
import { type AccountReadout, readAccount } from './account-readout.ts'
import type { Transport } from './transport.ts'

/** What the accounts are built on. */
export interface AccountsDeps {
  snapshot(): Snapshot
  readonly transport: Transport
  readonly clock: Clock
  /** Hears that the readout may be another one. */
  onChange?(): void
}

/** The account of the provider in use: it decides when a plugin's fetch is asked, and keeps what it said (WAL-1). */
export interface Accounts {
  /** The provider that is in use from now on: at start and at each switch. Undefined: none. */
  use(endpoint: AccountEndpoint | undefined): void
  /** A turn ended. */
  turnEnded(): void
  /** Pure, for every frame. Undefined while no provider is in use. */
  readout(): AccountReadout | undefined
  dispose: Dispose
}

/** A provider is not asked more often than this (bundled-plugins 2). In milliseconds. */
export const LEAST_INTERVAL_MS = 10_000

/**
 * Makes the polling. It asks at a boundary only (start, switch, end of a turn): at most once for each, one fetch at a
 * time, and a boundary that comes too early waits its time out. An answer for a provider that is no longer in use is
 * dropped. Nothing here throws, and nothing keeps the process alive.
 */
export function createAccounts(deps: AccountsDeps): Accounts {
  const { clock, snapshot, transport } = deps
  const cache = createAccountCache(clock)
  let active: AccountEndpoint | undefined
  let running: AbortController | undefined
  let due = false
  let cancelAsk: Dispose = () => {}
  let cancelStale: Dispose = () => {}
  const changed = () => deps.onChange?.()

  const boundary = () => {
    due = active !== undefined
    if (active === undefined || running !== undefined) return
    cancelAsk()
    const wait = LEAST_INTERVAL_MS - cache.sinceAsked(active)
    if (wait <= 0) void ask(active)
    else cancelAsk = clock.after(wait, boundary, { background: true })
  }
  const ask = async (endpoint: AccountEndpoint) => {
    due = false
    const source = findAccount(endpoint.provider, snapshot())
    if (source === undefined || endpoint.apiKey.trim() === '') return
    const controller = new AbortController()
    running = controller
    cache.asking(endpoint)
    const answer = await askAccount(source, endpoint, { transport, signal: controller.signal })
    if (running !== controller) return
    running = undefined
    take(endpoint, answer)
    if (due) boundary()
  }
  const take = (endpoint: AccountEndpoint, answer: AccountAnswer) => {
    cancelStale()
    if (answer.kind === 'account') cache.learned(endpoint, answer.account)
    else {
      const left = cache.failed(endpoint)
      if (left !== undefined && left > 0) cancelStale = clock.after(left, changed, { background: true })
    }
    changed()
  }
  const stop = () => {
    cancelAsk()
    cancelStale()
    running?.abort()
    running = undefined
    due = false
  }

  return {
    use(endpoint) {
      stop()
      active = endpoint
      changed()
      boundary()
    },
    turnEnded: boundary,
    readout() {
      if (active === undefined) return undefined
      const declared = findAccount(active.provider, snapshot()) !== undefined
      return readAccount(active.provider, declared ? cache.value(active) : undefined)
    },
    dispose() {
      stop()
      active = undefined
    },
  }
}
