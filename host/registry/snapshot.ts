import type { CommandNode } from '../../manifests/command-node.ts'
import type {
  AccountContext,
  Allowance,
  CommandArgument,
  Dialect,
  Money,
  SearchAnswer,
  SearchQuery,
} from '../../sdk/index.ts'
import type { Outcome } from '../base/outcome.ts'
import type {
  InstalledPanel,
  InstalledPromptBlock,
  InstalledStatusSegment,
  InstalledTool,
  LedgerEntry,
} from './contribution.ts'

/** One command root (CMD-1). */
export interface InstalledCommand {
  readonly root: string
  readonly plugin: string
  readonly node: CommandNode
  /** Runs the handler at a dotted path (`''` is the root); the value is undefined when nothing is bound there (CMD-3). */
  run(path: string, argument: CommandArgument): Promise<Outcome<string | undefined>>
}

/** One preset of a provider (PRO-2). */
export interface InstalledPreset {
  readonly name: string
  readonly plugin: string
  readonly flavor: string
  /** Undefined when the preset is started: then `start` says where it listens. */
  readonly apiBase: string | undefined
  readonly defaultModel: string
  readonly requiresKey: boolean
  readonly keyEnv: readonly string[]
  readonly mergeSystem: boolean
  /** Starts the provider's own server, once per version of the plugin; a second call answers the same. */
  readonly start: (() => Promise<Outcome<{ readonly apiBase: string }>>) | undefined
}

/** A wire protocol that a plugin brings (PRO-3). */
export interface InstalledFlavor {
  readonly flavor: string
  readonly plugin: string
  dialect(): Promise<Outcome<Dialect>>
}

/** Presets by name, and flavors by name. The host's own `openai` flavor is not in here. */
export interface Providers {
  readonly presets: ReadonlyMap<string, InstalledPreset>
  readonly flavors: ReadonlyMap<string, InstalledFlavor>
}

/** A wallet of one provider (WAL-1). */
export interface InstalledWallet {
  readonly provider: string
  readonly plugin: string
  readonly currency: string
  /** The fetch's answer, shape-checked: amounts by currency, or undefined. */
  fetch(context: AccountContext): Promise<Outcome<readonly Money[] | undefined>>
}

/** An allowance of one provider (WAL-1). */
export interface InstalledAllowance {
  readonly provider: string
  readonly plugin: string
  fetch(context: AccountContext): Promise<Outcome<Allowance | undefined>>
}

/** A search backend (SEA-1). */
export interface InstalledSearchBackend {
  readonly mode: string
  readonly plugin: string
  search(query: SearchQuery, call: { readonly signal: AbortSignal }): Promise<Outcome<SearchAnswer>>
}

/** A skill (SKL-1). */
export interface InstalledSkill {
  readonly name: string
  readonly plugin: string
  readonly description: string
  read(): Promise<Outcome<string>>
}

/** A name whose owner is switched off or broken: it resolves to this, never to another's thing (architecture 3, rule 6). */
export interface UnavailableName {
  readonly plugin: string
  /** `is switched off`, `failed to load: …`. */
  readonly why: string
  /** The command that mends it. */
  readonly remedy: string
}

/**
 * Everything that is installed at one moment. Immutable: a change makes a new one and moves ONE pointer to it, so
 * no reader ever sees half a swap (SWAP-3).
 */
export interface Snapshot {
  /** Grows by one with each commit. */
  readonly generation: number
  readonly ledger: readonly LedgerEntry[]
  readonly tools: ReadonlyMap<string, InstalledTool>
  /** In (priority, registration) order. */
  readonly promptBlocks: readonly InstalledPromptBlock[]
  /** In (priority, registration) order. */
  readonly statusSegments: readonly InstalledStatusSegment[]
  readonly panels: ReadonlyMap<string, InstalledPanel>
  readonly commands: ReadonlyMap<string, InstalledCommand>
  readonly providers: Providers
  readonly wallets: ReadonlyMap<string, InstalledWallet>
  readonly allowances: ReadonlyMap<string, InstalledAllowance>
  readonly searchBackends: ReadonlyMap<string, InstalledSearchBackend>
  readonly skills: ReadonlyMap<string, InstalledSkill>
  /** By `kind:name` (`tool:greet`, `command:hello`, `provider:gemini`, `flavor:gemini`, `searchBackend:semantic`). */
  readonly unavailable: ReadonlyMap<string, UnavailableName>
}
