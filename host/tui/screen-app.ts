import type { StatusSnapshot } from '../../sdk/index.ts'
import type { AgentMode, TurnResult, TurnSink } from '../agent/turn.ts'
import type { CommandTree } from '../command/tree.ts'
import type { AccountReadout } from '../llm/account-readout.ts'
import type { Plugins } from '../plugin/plugins.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import type { PromptWithFiles } from '../workspace/prompt-files.ts'

/** What the screen asks of a running amber; everything is read at the moment it is needed (SWAP-3). */
export interface ScreenApp {
  snapshot(): Snapshot
  commandTree(): CommandTree
  choices(source: string): readonly string[]
  runCommand(
    line: string,
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly ok: boolean; readonly text: string }>
  /** Programs in the background: how many, and the seconds that the one nearest to its end has left. */
  jobs?(): { readonly count: number; readonly secondsLeft: number | undefined }
  /** What tools and prompt blocks add to a request, in tokens, estimated; undefined until it is. */
  promptCost?(): number | undefined
  /** The servers that tools come from, as the bar shows them. */
  mcpServers?(): StatusSnapshot['mcpServers']
  readonly plugins: Pick<Plugins, 'list' | 'info' | 'swap' | 'enable' | 'disable'>
}

/** What the screen asks of a conversation with a model. */
export interface ScreenAgent {
  readonly provider: string
  readonly model: string
  mode(): AgentMode
  setMode(mode: AgentMode): void
  reset(): void
  /** Reads the files that a prompt names with `@path`. */
  attach?(prompt: string): Promise<PromptWithFiles>
  turn(
    prompt: string,
    options: {
      readonly signal: AbortSignal
      readonly sink: TurnSink
      readonly images?: PromptWithFiles['images']
    },
  ): Promise<TurnResult>
  /** In tokens; undefined when nobody said. */
  contextWindow?(): number | undefined
  /** The account of its provider, for the bar (WAL-3). */
  account?(): AccountReadout | undefined
}
