import type { AssistantMessage, Message, ToolCallRequest, ToolDefinition, Usage } from './conversation.ts'

/** Where and as whom a request goes. */
export interface DialectConfig {
  readonly apiBase: string
  /** Empty when there is none: then no credential header is made (contract PRO-13). */
  readonly apiKey: string
  readonly model: string
  readonly reasoningEffort?: 'off' | 'low' | 'medium' | 'high'
  /** Joins system messages for servers that take one only (PRM-1). */
  readonly mergeSystem?: boolean
  readonly maxOutputTokens?: number
}

/**
 * What is asked of the model. A dialect gets it made ready by the host: calls and results paired, ids and names legal,
 * arguments JSON objects, no empty message, no lone surrogate, schemas with an object at their root.
 */
export interface ChatRequest {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  readonly stream: boolean
}

/** An error as a value (PRO-12). */
export interface LlmError {
  readonly kind:
    | 'auth'
    | 'quota'
    | 'rate-limit'
    | 'overloaded'
    | 'context-overflow'
    | 'not-found'
    | 'bad-request'
    | 'server'
    | 'network'
    | 'stalled'
    | 'cancelled'
    | 'protocol'
  readonly status?: number
  readonly retryable: boolean
  readonly retryAfterMs?: number
  /** What happened, one sentence; what the server said, where it said something. */
  readonly message: string
  /** What to do about it, one sentence. */
  readonly hint: string
}

/**
 * What a server said instead of an answer, inside a reply that began well, in its own words. The host makes an
 * {@link LlmError} of it, as it does of the body of a failed request.
 */
export interface WireFailure {
  /** The status that the words name; most name none. */
  readonly status?: number
  /** The error as it stood on the wire, JSON or not. */
  readonly body: string
}

/**
 * What a whole answer came to. A dialect may leave a call's id empty: the host makes it (PRO-9), and takes nameless
 * and cut calls out (PRO-10).
 */
export interface Completion {
  readonly message: AssistantMessage
  /** The wire's own word, kept; '' when the server gave none. */
  readonly finishReason: string
  /** complete: a terminal event was seen. incomplete: the stream ended without one. error: the server said so. */
  readonly status: 'complete' | 'incomplete' | 'error'
  readonly usage: Usage | undefined
  readonly refusal?: string
  /** Made by the host of `failure`, of a broken connection, or by a dialect that knows better. */
  readonly error?: LlmError
  readonly failure?: WireFailure
  /** Calls whose arguments were cut, or that stood in a reply that never ended; never run (PRO-10). */
  readonly cutCalls?: readonly ToolCallRequest[]
  /** Malformed events that were dropped (PRO-10). */
  readonly dropped: number
}

/** What a decoder emits, in order; `end` exactly once (PRO-10). */
export type StreamChunk =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  | { readonly type: 'toolCallStarted'; readonly index: number; readonly name: string }
  | { readonly type: 'end'; readonly completion: Completion }

/** One server-sent event, framed by the host. */
export interface WireEvent {
  readonly event: string | undefined
  readonly data: string
}

/** An incremental decoder of one stream. */
export interface StreamDecoder {
  /** Takes one event; never throws (PRO-7). */
  push(event: WireEvent): void
  /** The stream ended, or was cut by `error`; emits `end` if it was not emitted yet. */
  finish(error?: LlmError): void
}

/** What a model list or one model's entry says. */
export interface ModelInfo {
  readonly id: string
  /** What a request may fill, in tokens. */
  readonly contextWindow?: number
  /** What the model was made for, in tokens, where its server holds less (llama.cpp's `n_ctx_train` beside `n_ctx`). */
  readonly trainedContextWindow?: number
  /** US dollars for a million tokens, as the server's list says it; absent: not known. */
  readonly price?: { readonly input: number; readonly output: number }
}

/** The wire protocol of a flavor (PRO-7): pure, runs without a network, never throws on any input. */
export interface Dialect {
  readonly flavor: string
  chatUrl(config: DialectConfig, stream: boolean): string
  /** `''`: this server lists no models. */
  modelsUrl(config: DialectConfig): string
  authHeaders(config: DialectConfig): Readonly<Record<string, string>>
  buildChatBody(config: DialectConfig, request: ChatRequest): Readonly<Record<string, unknown>>
  parseCompletion(raw: string, request: ChatRequest): Completion
  makeDecoder(request: ChatRequest, onChunk: (chunk: StreamChunk) => void): StreamDecoder
  /** What the list says of one model. */
  parseModels(body: string, model: string): ModelInfo | undefined
  parseModelList(body: string): readonly ModelInfo[]
  parseUsage(raw: string): Usage | undefined
  isRetryable(status: number, body: string): boolean
  /** The context window that an overflow error names, in tokens. */
  contextOverflowHint(body: string): number | undefined
}
