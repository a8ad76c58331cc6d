import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { EventName, HostEvents, Message, StatusSnapshot, UserMessage } from '../../sdk/index.ts'
import type { CompressionResult } from '../agent/compression.ts'
import type { CoreBlock } from '../agent/prompt.ts'
import type { AgentMode, Approver, ToolAnswer, TurnResult, TurnSink } from '../agent/turn.ts'
import type { Dispose } from '../base/disposable.ts'
import type { AmberPaths } from '../base/paths.ts'
import type { CoreHandler } from '../command/dispatch.ts'
import type { CommandTree } from '../command/tree.ts'
import type { AccountReadout } from '../llm/account-readout.ts'
import type { ModelCache } from '../llm/model-cache.ts'
import type { ProviderOffer } from '../llm/offers.ts'
import type { WireEvent } from '../llm/wire-tap.ts'
import type { Plugins } from '../plugin/plugins.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import type { SessionStore } from '../session/session-store.ts'
import type { HostJobs } from '../workspace/process/jobs-service.ts'
import type { PromptWithFiles } from '../workspace/prompt-files.ts'
import type { Connect } from './connector.ts'
import type { StoredUndo } from './stored-undo.ts'
import type { TurnUndo } from './turn-undo.ts'

/** A conversation with a model. */
export interface Agent {
  readonly provider: string
  readonly model: string
  /** Of its model, in tokens; undefined while nobody said. */
  contextWindow?(): number | undefined
  /** The account of its provider, for the bar (WAL-3); undefined while another provider is the one in use. */
  account?(): AccountReadout | undefined
  /** The id of the session that is written; null or absent when none is. */
  session?(): string | null
  /** What was said so far. */
  messages?(): readonly Message[]
  mode(): AgentMode
  /** Takes effect with the next request and the next call. */
  setMode(mode: AgentMode): void
  /** Forgets the conversation and the approvals of this session; a new session begins. */
  reset(): void
  /** Sums the older part of the conversation up, after the turn that is running. Never rejects. */
  compress(signal: AbortSignal): Promise<CompressionResult>
  /** Takes its newest turn back, in files and conversation; absent while amber starts. */
  readonly undo?: TurnUndo
  /** What may be done with its session; absent where nothing is stored. */
  readonly sessions?: AgentSessions
  /** Reads the files that a prompt names with `@path`, for the turn that it begins (interfaces 2). */
  attach?(prompt: string): Promise<PromptWithFiles>
  /** Runs one turn, after the one that is running; never rejects. */
  turn(
    prompt: string,
    options: {
      readonly signal: AbortSignal
      readonly sink: TurnSink
      readonly images?: UserMessage['images']
    },
  ): Promise<TurnResult>
}

/** The session of an agent. What is named wrongly rejects with an AmberError; call them between turns. */
export interface AgentSessions {
  /** Goes on with another session of this workspace, by its id or the beginning of it; the id that it goes on with. */
  load(id: string): Promise<string>
  /** Goes on with a copy; its id. */
  fork(): Promise<string>
  rename(title: string): void
  /** Writes the conversation as Markdown; without a file into the workspace. The file's path. */
  save(file: string): Promise<string>
}

/** How an agent is made. */
export interface AgentOptions {
  readonly provider?: string
  readonly model?: string
  readonly apiBase?: string
  readonly mode: AgentMode
  readonly approver?: Approver
  /** How long a question waits before it counts as no, in milliseconds; 60 s unless said, 0 waits for ever. */
  readonly approvalTimeoutMs?: number
  /** Somebody is at the terminal: a key that is set is offered instead of being an error (interfaces 1). */
  readonly interactive?: boolean
  /** It takes a running conversation up: what was said about its provider is not said again. */
  readonly goesOn?: boolean
  /** Send a request again although part of its answer was shown (`--retry-partial`). */
  readonly retryPartial?: boolean
  /** How long a turn may take, in milliseconds; no limit unless said. */
  readonly maxTurnMs?: number
  /** Model requests a turn may make; 100 unless said. */
  readonly maxRequests?: number
  /** Which session is written: a new one unless said, none, the last one of this workspace, or the one named. */
  readonly session?: 'new' | 'none' | 'continue' | { readonly resume: string }
}

/** One line of `provider list` (interfaces 2). */
export interface ProviderRow {
  readonly name: string
  /** Null for one that stands in the user's files alone. */
  readonly plugin: string | null
  readonly flavor: string
  /** Empty when the provider starts a server of its own. */
  readonly apiBase: string
  readonly defaultModel: string
  readonly requiresKey: boolean
  readonly hasKey: boolean
  readonly active: boolean
}

/** What may be done with the plugins of a running host. */
export type AppPlugins = Pick<
  Plugins,
  'list' | 'info' | 'inputs' | 'witness' | 'swap' | 'offer' | 'remove' | 'enable' | 'disable'
>

/** A whole amber, wired. */
export interface App {
  readonly paths: AmberPaths
  /** The one pointer (SWAP-3). */
  snapshot(): Snapshot
  readonly plugins: AppPlugins
  /** What looking for plugins found wrong at the start: places, manifests, states. Each has its place and its remedy. */
  readonly found: readonly Diagnostic[]
  on<Name extends EventName>(name: Name, handler: (event: HostEvents[Name]) => void): () => void
  /** Faults and findings about plugins since the start, each told once. */
  onDiagnostic(handler: (plugin: string, diagnostic: Diagnostic) => void): () => void
  /** What goes over the wire to and from providers, without headers and keys. The handler must not throw. */
  onWire(handler: (event: WireEvent) => void): () => void
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
  /** The command tree of this moment, for drawer, completion and help (CMD-6). */
  commandTree(): CommandTree
  /** What lives and can be chosen by name (`choicesFrom`), for completion. */
  choices(source: string): readonly string[]
  /** Brings the choices of a source up to date that are not kept at hand (`files`); true when they are others now. */
  prepareChoices(source: string): Promise<boolean>
  /** Hears that a setting was changed by a command; answers whether the change holds from now on. */
  onSetting(handler: (key: string) => boolean | Promise<boolean>): Dispose
  /** Binds one of amber's own commands, by dotted path (`set.policy.mode`): what only a screen can do. */
  bindCommand(path: string, handler: CoreHandler): Dispose
  /** How the MCP servers are, for the status bar (STA-4). */
  mcpServers?(): StatusSnapshot['mcpServers']
  /** Presets and the user's files, merged by name (PRO-6); `active` is the one that would be used. */
  providers(named: { readonly provider?: string }): Promise<readonly ProviderRow[]>
  /** Reaches a provider without making a conversation: to test it, or to list its models. */
  readonly connect: Connect
  /** The model lists that are kept. */
  readonly modelCache: ModelCache
  /**
   * What could be used where the user has named no provider: keys that are set, provider files, local servers that
   * answer within 150 ms. Undefined when one is named: then nothing is looked for (interfaces 1).
   */
  offers(named: {
    readonly provider?: string
    readonly apiBase?: string
  }): Promise<readonly ProviderOffer[] | undefined>
  /** Rejects with an AmberError of code `configuration` when no model can be reached as configured. */
  createAgent(options: AgentOptions): Promise<Agent>
  /** The prompt block of `AGENTS.md`, for who previews a request. */
  readonly contextBlock?: CoreBlock
  /** The stored sessions of the workspace. */
  sessions(): Promise<SessionStore>
  /** The undo of a stored session, by its whole id. Rejects with an AmberError when another amber writes it. */
  undoStored(id: string): Promise<StoredUndo>
  /** Programs in the background. */
  readonly jobs: HostJobs
  /** Retires every plugin, ends every child, in order; never rejects. */
  shutdown(): Promise<void>
}
