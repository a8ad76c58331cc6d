import type { Dialect } from './dialect.ts'

/** How the compiler sees one provider of a manifest. */
export interface ProviderShape {
  readonly dialect: boolean
  readonly start: boolean
}

/** The behaviour of a provider, for what its manifest leaves to code (contract PRO-2). */
export type ProviderHandler<Shape extends ProviderShape> = (Shape['dialect'] extends true
  ? { /** Makes the wire protocol (PRO-7). */ dialect(): Dialect }
  : { dialect?: never }) &
  (Shape['start'] extends true
    ? {
        /** Starts the provider's own local server; it must stop when `signal` aborts. */ start: ProviderStart
      }
    : { start?: never })

/** Starts a local server and says where it listens. */
export type ProviderStart = (context: {
  readonly signal: AbortSignal
}) => Promise<{ readonly apiBase: string }>

/** What a wallet or allowance fetch receives. `get` is amber's own transport (PRO-8): 20 s, no retry. */
export interface AccountContext {
  readonly apiKey: string
  readonly apiBase: string
  readonly signal: AbortSignal
  /** One GET with `Authorization: Bearer <key>`; the parsed JSON of a 2xx, else undefined. */
  get(url: string): Promise<unknown>
}

/** An amount of one currency. */
export interface Money {
  readonly amount: number
  readonly currency: string
  /** False: the vendor says that it buys nothing at the moment, whatever the amount. */
  readonly available?: boolean
}

/** A balance in the manifest's currency, or by currency, or undefined when nothing honest is known (WAL-2). */
export type WalletFetch = (context: AccountContext) => Promise<number | readonly Money[] | undefined>

/** A quota window (WAL-2). */
export interface AllowanceWindow {
  /** "5h", "7d", "monthly". */
  readonly label: string
  /** 0 to 100; absent when unknown. */
  readonly percentUsed?: number
  /** ISO 8601. */
  readonly resetsAt?: string
  readonly remaining?: number
  readonly entitlement?: number
}

/** A subscription's state (WAL-2). */
export interface Allowance {
  readonly plan?: string
  readonly windows: readonly AllowanceWindow[]
  readonly creditsBalance?: number
  readonly unit?: string
  readonly currency?: string
}

/** Quota windows, or undefined when nothing honest is known (WAL-2). */
export type AllowanceFetch = (context: AccountContext) => Promise<Allowance | undefined>
