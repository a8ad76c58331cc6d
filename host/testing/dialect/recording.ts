/** A body that a server once sent, and what it says. */
export interface DialectRecording {
  /** Names it in what is told. */
  readonly name: string
  /** As it came over the wire: server-sent events, or one JSON text when `buffered`. */
  readonly body: string | Uint8Array
  /** The answer to a request without streaming. */
  readonly buffered?: boolean
  readonly expected: ExpectedCompletion
}

/** What a recording comes to. What is left out is not looked at. */
export interface ExpectedCompletion {
  readonly text?: string
  readonly reasoning?: string
  /** The wire's own word. */
  readonly finishReason?: string
  readonly status?: 'complete' | 'incomplete' | 'error'
  /** The calls that may run; `arguments` as JSON text or as the value that it means. */
  readonly toolCalls?: readonly { readonly id?: string; readonly name: string; readonly arguments: unknown }[]
  /** Any of the numbers of `Usage`, the wire's own under `wire`. */
  readonly usage?: {
    readonly inputTokens?: number
    readonly outputTokens?: number
    readonly cachedTokens?: number
    readonly reasoningTokens?: number
    readonly wire?: Readonly<Record<string, number>>
  }
}

/** How a dialect is checked. */
export interface DialectCheckOptions {
  /** Where its requests would go; a made-up place unless said. */
  readonly apiBase?: string
  readonly model?: string
}
