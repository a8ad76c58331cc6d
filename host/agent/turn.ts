import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { LlmError } from '../../sdk/index.ts'

/** A tool call as it is about to run. */
export interface ToolRequested {
  readonly id: string
  readonly name: string
  readonly plugin: string | undefined
  readonly arguments: unknown
  readonly verb: string
  readonly summary: string
}

/** A tool call that ended. */
export interface ToolCompleted {
  readonly id: string
  readonly name: string
  readonly plugin: string | undefined
  readonly ok: boolean
  /** What goes to the model. */
  readonly output: string
  readonly durationMs: number
  readonly meta?: Readonly<Record<string, unknown>>
}

/** What a screen or a headless writer shows of a turn, as it happens. */
export interface TurnSink {
  text(delta: string): void
  reasoning(delta: string): void
  toolRequested(call: ToolRequested): void
  toolCompleted(call: ToolCompleted): void
  notice(message: string): void
  error(error: TurnError): void
}

/** An error of a turn. */
export interface TurnError {
  readonly kind: LlmError['kind'] | 'tool' | 'plugin' | 'limit' | 'configuration'
  readonly message: string
  readonly hint: string
  readonly status?: number
}

/** How a turn ended: the object of `--output json` (interfaces 2). */
export interface TurnResult {
  readonly text: string
  readonly reasoning?: string
  readonly finishReason: string
  readonly usage: {
    readonly inputTokens: number
    readonly outputTokens: number
    readonly cachedTokens?: number
    readonly reasoningTokens?: number
    readonly wire: Readonly<Record<string, number>>
  }
  readonly toolCalls: readonly {
    readonly id: string
    readonly name: string
    readonly plugin: string | null
    readonly arguments: unknown
    readonly ok: boolean
    readonly durationMs: number
  }[]
  readonly session: string | null
  readonly provider: string
  readonly model: string
  readonly errors: readonly TurnError[]
  readonly pluginErrors: readonly Diagnostic[]
}

/** A question to whoever may allow a call. */
export interface ApprovalRequest {
  readonly tool: string
  readonly plugin: string
  readonly summary: string
  readonly arguments: unknown
}

/** Answers approvals; without one (headless, no `--yes`) what needs approval is denied (SAFE-2). */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<'once' | 'session' | 'deny'>
