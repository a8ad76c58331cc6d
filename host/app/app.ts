import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { EventName, HostEvents } from '../../sdk/index.ts'
import type { AgentMode, Approver, ToolAnswer, TurnResult, TurnSink } from '../agent/turn.ts'
import type { AmberPaths } from '../base/paths.ts'
import type { Kind, LedgerEntry, PluginSource } from '../registry/contribution.ts'
import type { Snapshot } from '../registry/snapshot.ts'

/** A plugin as the host knows it (LED-9, interfaces 2: `plugin list`). */
export interface PluginInfo {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly category: string
  readonly source: PluginSource
  readonly path: string
  readonly state: 'discovered' | 'invalid' | 'disabled' | 'active' | 'degraded' | 'failed'
  readonly enabled: boolean
  readonly reason?: string
  /** The plugin's own count of versions in this process, from 1. */
  readonly generation: number
  readonly contributions: readonly LedgerEntry[]
  readonly diagnostics: readonly Diagnostic[]
}

/** What one swap changed. */
export interface SwapChange {
  readonly kind: Kind
  readonly name: string
  readonly change: 'added' | 'changed' | 'removed'
}

/** How long each phase of a swap took, in milliseconds; a phase that did not run is 0. */
export interface SwapPhases {
  readonly validate: number
  readonly types: number
  readonly build: number
  readonly load: number
  readonly stage: number
  readonly commit: number
}

/** What came of offering a plugin's newest state to the host (SWAP-2). */
export type SwapResult =
  | { readonly kind: 'unchanged'; readonly plugin: string }
  | {
      readonly kind: 'swapped'
      readonly plugin: string
      readonly generation: number
      readonly changed: readonly SwapChange[]
      readonly phases: SwapPhases
      readonly totalMs: number
      readonly diagnostics: readonly Diagnostic[]
    }
  | {
      readonly kind: 'rejected'
      readonly plugin: string
      readonly phase: keyof SwapPhases
      readonly diagnostics: readonly Diagnostic[]
    }
  | { readonly kind: 'removed'; readonly plugin: string }

/** The plugins of a running host. */
export interface Plugins {
  list(): readonly PluginInfo[]
  info(id: string): PluginInfo | undefined
  /** Takes effect at once and is remembered (LED-8). */
  enable(id: string): Promise<SwapResult>
  disable(id: string): Promise<SwapResult>
  /** Swaps in the newest state of the plugin's folder. `fresh` builds and evaluates even when no byte changed. */
  swap(id: string, options?: { readonly fresh?: boolean }): Promise<SwapResult>
  /** Adds or swaps the plugin of a folder that was not known before. */
  offer(folder: string, source: PluginSource): Promise<SwapResult>
  /** Takes a plugin out, because its folder is gone (SWAP-8). */
  remove(id: string): Promise<SwapResult>
  /** The files that the plugin's current and last tried versions are made of, absolute (SWAP-7). */
  inputs(id: string): readonly string[]
}

/** A conversation with a model. */
export interface Agent {
  readonly provider: string
  readonly model: string
  mode(): AgentMode
  /** Takes effect with the next request and the next call. */
  setMode(mode: AgentMode): void
  /** Forgets the conversation and the approvals of this session. */
  reset(): void
  /** Runs one turn, after the one that is running; never rejects. */
  turn(
    prompt: string,
    options: { readonly signal: AbortSignal; readonly sink: TurnSink },
  ): Promise<TurnResult>
}

/** How an agent is made. */
export interface AgentOptions {
  readonly provider?: string
  readonly model?: string
  readonly apiBase?: string
  readonly mode: AgentMode
  readonly approver?: Approver
  /** Model requests a turn may make; 100 unless said. */
  readonly maxRequests?: number
}

/** A whole amber, wired. */
export interface App {
  readonly paths: AmberPaths
  /** The one pointer (SWAP-3). */
  snapshot(): Snapshot
  readonly plugins: Plugins
  on<Name extends EventName>(name: Name, handler: (event: HostEvents[Name]) => void): () => void
  /** Faults and findings about plugins since the start, each told once. */
  onDiagnostic(handler: (plugin: string, diagnostic: Diagnostic) => void): () => void
  callTool(
    name: string,
    args: unknown,
    options: { readonly signal?: AbortSignal; readonly approver?: Approver },
  ): Promise<ToolAnswer>
  /** Runs a slash command's line, without its slash. */
  runCommand(
    line: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ readonly ok: boolean; readonly text: string }>
  /** Rejects with an AmberError of code `configuration` when no model can be reached as configured. */
  createAgent(options: AgentOptions): Promise<Agent>
  /** Retires every plugin, ends every child, in order; never rejects. */
  shutdown(): Promise<void>
}
