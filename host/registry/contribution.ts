import type {
  ApprovalScope,
  PanelHandler,
  ServiceName,
  StatusSnapshot,
  StatusText,
  ToolCall,
} from '../../sdk/index.ts'
import type { Outcome } from '../base/outcome.ts'

/** The ten kinds of capability (contract, Words). */
export type Kind =
  | 'tool'
  | 'promptBlock'
  | 'statusSegment'
  | 'panel'
  | 'command'
  | 'provider'
  | 'wallet'
  | 'allowance'
  | 'searchBackend'
  | 'skill'

/** Where a plugin folder was found; also the order of registration (LED-5). */
export type PluginSource = 'bundled' | 'user' | 'workspace' | 'flag'

/** What the entry of a plugin looks like before anything in it is believed: sections of named unknowns. */
export type RawEntry = Readonly<Record<string, unknown>>

/** How long a call may take and what cancels it. */
export interface RunOptions {
  readonly signal?: AbortSignal
  /** Milliseconds; without it the call has no deadline of its own. */
  readonly deadlineMs?: number
}

/**
 * The one door to a plugin's code, already bound to one version of it: leases that version for the length of the
 * call (SWAP-4), activates it at first use (MAN-3), and turns throw, rejection and missed deadline into a fault.
 */
export interface PluginCode {
  run<Value>(
    label: string,
    use: (entry: RawEntry, version: CodeVersion) => Value | Promise<Value>,
    options?: RunOptions,
  ): Promise<Outcome<Value>>
  /** Runs a pure render now; `undefined` when the code is not loaded yet (then it starts loading). */
  render<Value>(label: string, use: (entry: RawEntry) => Value): Outcome<Value> | undefined
}

/** The version of the code that a call landed on. */
export interface CodeVersion {
  /** Aborted when this version is retired. */
  readonly signal: AbortSignal
}

/** One installed contribution (LED-1): a capability of a manifest, bound to the version that declared it. */
export interface Contribution<Declared> {
  readonly kind: Kind
  readonly name: string
  readonly plugin: string
  /** The plugin's generation in which this contribution last changed (SWAP-5). */
  readonly generation: number
  readonly declared: Declared
  /** The plugin's folder, absolute: `file` paths of the manifest are relative to it. */
  readonly folder: string
  readonly code: PluginCode
}

/** One line of the ledger (LED-1). */
export interface LedgerEntry {
  readonly plugin: string
  readonly kind: Kind
  readonly name: string
  readonly generation: number
  readonly status: 'installed' | 'declined' | 'failed'
  readonly reason?: string
}

/** One tool, ready to be offered and called. */
export interface InstalledTool {
  readonly name: string
  readonly plugin: string
  readonly generation: number
  readonly description: string
  readonly verb: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly readOnly: boolean
  readonly approval: 'never' | 'always' | 'dynamic'
  /** Bytes of output that go to the model, 65,536 at most (TOOL-8). */
  readonly maxOutputBytes: number
  /** Host services that it needs, as its manifest says. */
  readonly requires?: readonly ServiceName[]
  /** Validates and coerces arguments (TOOL-4); the compiled schema is made at the first call. */
  check(args: unknown): Promise<ArgumentCheck>
  /** `summarize(args)`, or the tool's name; never throws. Loads nothing. */
  summarize(args: unknown): string
  /** Fails closed (TOOL-6): a fault counts as true. */
  requiresApproval(args: unknown): Promise<boolean>
  /** What a rule for this call covers; undefined: the tool as a whole. Fails closed: a fault is a scope that no rule has. */
  approvalScope?(args: unknown): Promise<ApprovalScope | undefined>
  /** Runs the handler; the answer is still unknown data, shaped by the dispatcher (TOOL-3). */
  execute(args: unknown, call: ToolCall): Promise<Outcome<unknown>>
}

/** Arguments as validated, or what the model should mend. */
export type ArgumentCheck =
  | { readonly ok: true; readonly args: unknown }
  | { readonly ok: false; readonly message: string }

/** One prompt block (PRM-1, PRM-2). */
export interface InstalledPromptBlock {
  readonly name: string
  readonly plugin: string
  readonly priority: number
  readonly placement: 'system' | 'head' | 'tail'
  /** The text; `''` contributes nothing; a fault contributes nothing and is reported. */
  render(): Promise<Outcome<string>>
}

/** One status segment (STA-1). */
export interface InstalledStatusSegment {
  readonly name: string
  readonly plugin: string
  readonly priority: number
  readonly dropPriority: number
  readonly edge: 'left' | 'right'
  /** What the code answered; undefined while it loads. */
  draw(snapshot: StatusSnapshot): Outcome<StatusText> | undefined
  /** The same without faults: they show nothing that frame (STA-3). */
  render(snapshot: StatusSnapshot): StatusText | undefined
}

/** One panel (PAN-1). */
export interface InstalledPanel {
  readonly id: string
  readonly plugin: string
  readonly title: string
  /** The panel's own code while it is loaded; `undefined` while it loads. */
  lines(width: number): Outcome<readonly string[]> | undefined
  onKey(key: string): boolean
}

/** What a panel's handler must look like. */
export type PanelCode = PanelHandler
