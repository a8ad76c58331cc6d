import type { Declined } from './decline.ts'

/** What a tool answers (contract TOOL-1). An error is a result, never a throw (TOOL-3). */
export interface ToolResult {
  readonly ok: boolean
  /** Text for the model. */
  readonly output?: string
  /** What went wrong, and what to do; given when `ok` is false. */
  readonly error?: string
  /** Plain data for the screen (a diff, an exit code); never sent to the model. */
  readonly meta?: Readonly<Record<string, unknown>>
}

/** The running call. */
export interface ToolCall {
  /** The call's id, unique in the conversation. */
  readonly id: string
  /** The conversation that it stands in; services that keep something for each conversation ask for it. */
  readonly conversation: string
  /** Aborted when the call is cancelled (TOOL-7). A tool that ignores it is abandoned after 1 s. */
  readonly signal: AbortSignal
  /** Shows a short line of progress beside the running call. */
  progress(text: string): void
}

/** What an approval of a call would cover, for rules and for the person who is asked. */
export interface ApprovalScope {
  /** Each of them must be allowed: `git push`. None: the tool as a whole. */
  readonly scopes: readonly string[]
  /** Why it asks: `destructive (git push)`. */
  readonly reason?: string
}

/** How the compiler sees one tool of a manifest. */
export interface ToolShape {
  readonly arguments: unknown
  readonly approval: 'never' | 'always' | 'dynamic'
}

/** The behaviour of one tool; its name, schema and flags are in the manifest (MAN-2). */
export type ToolHandler<Shape extends ToolShape> = {
  /** Runs the call. `args` were validated against the manifest's `parameters` (TOOL-4). */
  execute(args: Shape['arguments'], call: ToolCall): ToolResult | Declined | Promise<ToolResult | Declined>
  /** One short line for the screen; without it the tool's name stands there. */
  summarize?(args: Shape['arguments']): string
  /** What a rule for this call covers (SAFE-2); without it, or when it throws, a rule covers the tool as a whole or nothing. */
  approvalScope?(args: Shape['arguments']): ApprovalScope | Promise<ApprovalScope>
} & (Shape['approval'] extends 'dynamic'
  ? {
      /** Whether this very call needs the user's approval; a throw counts as yes (TOOL-6). */
      requiresApproval(args: Shape['arguments']): boolean | Promise<boolean>
    }
  : { requiresApproval?: never })

/** A tool with its declaration, contributed by a running plugin; what it leaves out has a manifest's defaults (interfaces 4). */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  /** JSON Schema, an object at the top. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly verb?: string
  readonly readOnly?: boolean
  readonly approval?: 'never' | 'always'
  readonly maxOutputBytes?: number
  execute(
    args: Readonly<Record<string, unknown>>,
    call: ToolCall,
  ): ToolResult | Declined | Promise<ToolResult | Declined>
  summarize?(args: Readonly<Record<string, unknown>>): string
}
