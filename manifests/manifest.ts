import type { CommandNode } from './command-node.ts'

/** A service of the host that a contribution may need (contract LED-3). */
export type RequiredService = 'jobs' | 'todos' | 'subagents' | 'skills' | 'search' | 'workspace' | 'shell'

/** A manifest as the host uses it: read, checked, and with every default of interfaces 4 filled in. */
export interface Manifest {
  readonly id: string
  readonly version: string
  readonly name: string
  readonly description: string
  readonly category: string
  readonly engines: { readonly amber: string }
  /** Relative to the manifest; undefined when all contributions are data. */
  readonly entry: string | undefined
  readonly activation: 'lazy' | 'startup'
  /** Milliseconds, 10,000 at most (LED-9). */
  readonly activationTimeoutMs: number
  readonly external: readonly string[]
  readonly capabilities: Capabilities
  /** Tools that only the running plugin knows. */
  readonly dynamicTools: DynamicToolsDeclaration | undefined
}

/** What a plugin declares, by kind; empty lists where it declares nothing. */
export interface Capabilities {
  readonly tools: readonly ToolDeclaration[]
  readonly promptBlocks: readonly PromptBlockDeclaration[]
  readonly statusSegments: readonly StatusSegmentDeclaration[]
  readonly panels: readonly PanelDeclaration[]
  readonly commands: readonly CommandDeclaration[]
  readonly providers: readonly ProviderDeclaration[]
  readonly wallets: readonly WalletDeclaration[]
  readonly allowances: readonly AllowanceDeclaration[]
  readonly searchBackends: readonly SearchBackendDeclaration[]
  readonly skills: readonly SkillDeclaration[]
}

/** What every capability may say. */
interface Declaration {
  /** Services without which it declines. */
  readonly requires: readonly RequiredService[]
}

/** A tool (TOOL-1). */
export interface ToolDeclaration extends Declaration {
  readonly name: string
  readonly description: string
  /** What the screen says while it runs; the tool's name where the manifest gives none. */
  readonly verb: string
  /** JSON Schema, 2020-12 or draft-07, an object at the top. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly readOnly: boolean
  readonly approval: 'never' | 'always' | 'dynamic'
  /** The tool's own name where the manifest gives none. */
  readonly group: string
  readonly maxOutputBytes: number
}

/** A prompt block (PRM-1); with a `file` it needs no handler. */
export interface PromptBlockDeclaration extends Declaration {
  readonly name: string
  readonly priority: number
  readonly placement: 'system' | 'head' | 'tail'
  readonly file: string | undefined
}

/** A status segment (STA-1). */
export interface StatusSegmentDeclaration extends Declaration {
  readonly name: string
  readonly priority: number
  readonly dropPriority: number
  readonly edge: 'left' | 'right'
}

/** A panel (PAN-1). */
export interface PanelDeclaration extends Declaration {
  readonly id: string
  readonly title: string
}

/** A command root, itself a node of the tree (CMD-1). */
export interface CommandDeclaration extends Declaration, CommandNode {
  readonly root: string
}

/** A provider (PRO-2). */
export interface ProviderDeclaration extends Declaration {
  /** The first preset's name. */
  readonly name: string
  readonly flavor: string
  /** The entry brings the dialect of `flavor`. */
  readonly ownDialect: boolean
  readonly presets: readonly PresetDeclaration[]
}

/** An endpoint of a provider. */
export interface PresetDeclaration {
  readonly name: string
  /** Empty: the user is to give one. Undefined: the entry's `start` handler says where. */
  readonly apiBase: string | undefined
  readonly defaultModel: string
  readonly requiresKey: boolean
  readonly keyEnv: readonly string[]
  readonly mergeSystem: boolean
}

/** A wallet (WAL-1). */
export interface WalletDeclaration extends Declaration {
  readonly provider: string
  readonly currency: string
}

/** An allowance (WAL-1). */
export interface AllowanceDeclaration extends Declaration {
  readonly provider: string
}

/** A search backend (SEA-1). */
export interface SearchBackendDeclaration extends Declaration {
  readonly mode: string
}

/** That the plugin contributes tools while it runs, which no manifest can name (MCP-1). */
export interface DynamicToolsDeclaration {
  /** How the name of each begins. */
  readonly prefix: string
  /** The file in amber's config folder without which there are none; where it exists, the plugin starts with amber. */
  readonly configFile: string | undefined
}

/** A skill (SKL-1); with a `file` it needs no handler. */
export interface SkillDeclaration extends Declaration {
  readonly name: string
  readonly description: string
  readonly file: string | undefined
}
