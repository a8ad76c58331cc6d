/** The conversation as amber stores it, the same for every dialect. Plain data. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

/** Only on the copy that is sent: one for each non-empty prompt block (contract PRM-1). */
export interface SystemMessage {
  readonly role: 'system'
  readonly text: string
  /** Where the block sits (PRM-2): in the stable prefix, before the conversation, or after it. */
  readonly placement: 'system' | 'head' | 'tail'
}

/** What the user said. */
export interface UserMessage {
  readonly role: 'user'
  readonly text: string
  readonly images?: readonly { readonly mimeType: string; readonly base64: string }[]
}

/** What the model said. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly text: string
  readonly reasoning?: string
  readonly toolCalls: readonly ToolCallRequest[]
  /** Which flavor and model wrote it; a dialect replays opaque data only to its own flavor. */
  readonly origin?: { readonly flavor: string; readonly model: string }
  /** Opaque vendor data (signatures, thinking blocks), made and read by the dialect of `origin.flavor`. Plain JSON. */
  readonly replay?: unknown
}

/** A tool call as normalised at the dialect's edge (PRO-9). */
export interface ToolCallRequest {
  /** Unique in the conversation; made where the wire has none. */
  readonly id: string
  readonly name: string
  /** A JSON string, as the model wrote it; empty means `{}`. */
  readonly arguments: string
  /**
   * The reply's token limit fell before the first argument: nobody knows what was to stand there. Such a call is
   * answered with an error that says so, and never run (PRO-10).
   */
  readonly cut?: boolean
  /** Opaque vendor data of this call (a thought signature). Plain JSON. */
  readonly replay?: unknown
}

/** A call's result. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly callId: string
  readonly name: string
  readonly ok: boolean
  readonly text: string
}

/** A tool as it is offered to a model. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** Tokens, normalised by one rule: input is everything the model read, output everything it wrote. */
export interface Usage {
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  readonly cachedTokens?: number
  readonly reasoningTokens?: number
  /** The server's own numbers under one set of names, untouched. */
  readonly wire: WireUsage
}

/** The wire's numbers (fixtures README): absent where the server said nothing. */
export interface WireUsage {
  readonly promptTokens?: number
  readonly completionTokens?: number
  readonly cachedTokens?: number
  /** Written into the server's prefix cache (Anthropic). */
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
  /** Read as results of the server's own tools (Gemini). */
  readonly toolUsePromptTokens?: number
  readonly totalTokens?: number
}
