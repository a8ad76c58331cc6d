import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { LlmError } from '../../sdk/index.ts'

/** What the model may do: read-only tools alone; all, with approval; all, with no questions (SAFE-2). */
export type AgentMode = 'read' | 'write' | 'yolo'

/** A tool call as it is about to run. */
export interface ToolRequested {
  readonly id: string
  readonly name: string
  readonly plugin: string | undefined
  readonly arguments: unknown
  readonly verb: string
  readonly summary: string
  /** The lane of the sub-agent that calls: the id of the call that started it. Ids are unique within a lane. */
  readonly lane?: string
}

/** A tool call that ended. */
export interface ToolCompleted {
  readonly id: string
  readonly name: string
  readonly plugin: string | undefined
  readonly ok: boolean
  /** The tool's words, capped (TOOL-8): its output, or its error with whatever output there was. */
  readonly output: string
  readonly durationMs: number
  readonly meta?: Readonly<Record<string, unknown>>
  readonly verb: string
  /** May know more than when the call was requested: by now the tool's code is loaded. */
  readonly summary: string
  readonly lane?: string
}

/** What a screen or a headless writer shows of a turn, as it happens. */
export interface TurnSink {
  /** Nothing of an answer is shown before it is whole: a request may be sent again although text had begun to arrive. */
  readonly holdsText?: boolean
  text(delta: string): void
  reasoning(delta: string): void
  toolRequested(call: ToolRequested): void
  toolCompleted(call: ToolCompleted): void
  /** A short line of progress of a running call. */
  toolProgress?(id: string, text: string): void
  /** Opens a lane of its own for a sub-agent; without it the sub-agent's calls come here, with `lane` set. */
  openLane?(lane: { readonly id: string; readonly title: string }): TurnSink
  notice(message: string): void
  /** A request of this very conversation was answered; what its sub-agents ask is not told here. */
  responded?(response: ModelResponse): void
  /** Whole seconds until a failed request is sent again, once a second; 0 when the wait is over. */
  waiting?(secondsLeft: number): void
  error(error: TurnError): void
}

/** The figures of one answer of the model; tokens are undefined where the server told none. */
export interface ModelResponse {
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  readonly durationMs: number
}

/** An error of a turn. */
export interface TurnError {
  /** `denied`: a call needed approval and nobody was there to give it (exit code 4); `failed`: anything unforeseen. */
  readonly kind: LlmError['kind'] | 'plugin' | 'limit' | 'configuration' | 'denied' | 'usage' | 'failed'
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
    /** Of all requests of the turn; 0 when no server said a number. */
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
  /** What a rule would cover, each part for itself; empty: the tool as a whole. */
  readonly scopes: readonly string[]
  /** Why it asks, as its plugin judges: `destructive (git push)`. */
  readonly reason?: string
  /** Who wants it; absent when the call stands in no turn. */
  readonly asker?: Asker
}

/** Who wants a call: the model in the conversation's so many-eth turn, or a sub-agent that it started. */
export interface Asker {
  /** From 1. */
  readonly turn: number
  /** What the sub-agent was asked to do; undefined for the model itself. */
  readonly subagent?: string
}

/** `the model in turn 12`, `the sub-agent "find the tests" in turn 12`. */
export function askerText({ turn, subagent }: Asker): string {
  return subagent === undefined ? `the model in turn ${turn}` : `the sub-agent "${subagent}" in turn ${turn}`
}

/** What was answered: for this call, for this session, from now on in this workspace; no, or never here. */
export type ApprovalAnswer = 'once' | 'session' | 'always' | 'deny' | 'never'

/** Answers approvals; without one (headless, no `--yes`) what needs approval is denied (SAFE-2). */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>

/** One tool called from outside a turn (`POST /api/tools/NAME`, the testing kit). */
export interface ToolAnswer {
  readonly ok: boolean
  readonly output?: string
  readonly error?: string
  readonly meta?: Readonly<Record<string, unknown>>
  readonly durationMs: number
}
