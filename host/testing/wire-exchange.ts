/** One request and what was answered: plain data, to be written down. */
export interface WireExchange {
  /** `GET` unless said. */
  readonly method?: string
  /** From the address that the player or recorder stands for, with its query: `/v1/balance`. */
  readonly path: string
  readonly status: number
  /** `content-type` and `retry-after`, where the server said them. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

/** What somebody asked of a player. */
export interface AskedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** A server on the loopback that answers as was recorded. */
export interface WirePlayer {
  /** Stands for the vendor's address. */
  readonly url: string
  /** For `balance` and `allowance`: asks as amber would, and gives the JSON of a success, else undefined. */
  get(url: string): Promise<unknown>
  /** Every request so far. */
  asked(): readonly AskedRequest[]
  dispose(): Promise<void>
}

/** A server on the loopback that passes everything on, and writes down what was answered. */
export interface WireRecorder {
  /** Stands for the vendor's address. */
  readonly url: string
  /** Everything so far. No credential is in it. */
  exchanges(): readonly WireExchange[]
  dispose(): Promise<void>
}
