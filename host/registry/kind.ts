import type { Manifest } from '../../manifests/manifest.ts'
import type { ServiceName } from '../../sdk/index.ts'
import type { Outcome } from '../base/outcome.ts'
import type {
  Contribution,
  InstalledPanel,
  InstalledPromptBlock,
  InstalledStatusSegment,
  InstalledTool,
  Kind,
} from './contribution.ts'
import type { HandlerNeed } from './handler.ts'
import type {
  InstalledAllowance,
  InstalledCommand,
  InstalledFlavor,
  InstalledPreset,
  InstalledSearchBackend,
  InstalledSkill,
  InstalledWallet,
  Snapshot,
} from './snapshot.ts'

type Capabilities = Manifest['capabilities']
type Item<Section extends keyof Capabilities> = Capabilities[Section][number]

/** For each kind: its part of a manifest, what one contribution installs, and its field of the snapshot. */
export interface KindTypes {
  tool: { declared: readonly Item<'tools'>[]; installed: InstalledTool; field: 'tools' }
  promptBlock: { declared: Item<'promptBlocks'>; installed: InstalledPromptBlock; field: 'promptBlocks' }
  statusSegment: {
    declared: Item<'statusSegments'>
    installed: InstalledStatusSegment
    field: 'statusSegments'
  }
  panel: { declared: Item<'panels'>; installed: InstalledPanel; field: 'panels' }
  command: { declared: Item<'commands'>; installed: InstalledCommand; field: 'commands' }
  provider: {
    declared: Item<'providers'>
    installed: { readonly presets: readonly InstalledPreset[]; readonly flavor: InstalledFlavor | undefined }
    field: 'providers'
  }
  wallet: { declared: Item<'wallets'>; installed: InstalledWallet; field: 'wallets' }
  allowance: { declared: Item<'allowances'>; installed: InstalledAllowance; field: 'allowances' }
  searchBackend: {
    declared: Item<'searchBackends'>
    installed: InstalledSearchBackend
    field: 'searchBackends'
  }
  skill: { declared: Item<'skills'>; installed: InstalledSkill; field: 'skills' }
}

/** A capability as its kind reads it out of a manifest: everything the ledger must know before it is installed. */
export interface Capability<K extends Kind> {
  readonly kind: K
  /** The contribution's name (LED-1). */
  readonly name: string
  readonly declared: KindTypes[K]['declared']
  /** Host services without which it declines (LED-3). */
  readonly requires: readonly ServiceName[]
  /** Data files that it names, relative to the plugin's folder. */
  readonly files: readonly string[]
  /** The handlers that it needs from the entry; none: it is data and survives a change of code (SWAP-5). */
  readonly handlers: readonly HandlerNeed[]
  /** The names that it claims in the registries, `kind:name`; a claimed name is a conflict (LED-5). */
  readonly claims: readonly string[]
}

/** One kind of capability: how it is declared, installed, tried and combined. One file a kind implements this. */
export interface KindDefinition<K extends Kind> {
  readonly field: KindTypes[K]['field']
  /** What the kind is called in a sentence: `status segment`. */
  readonly title: string
  declare(manifest: Manifest): readonly Capability<K>[]
  install(contribution: Contribution<KindTypes[K]['declared']>): readonly KindTypes[K]['installed'][]
  /** Tries the pure renders once before a swap goes live (architecture 3, rule 2). */
  trial?(installed: KindTypes[K]['installed']): Promise<Outcome<unknown>>
  /** The kind's field of the snapshot, from everything installed, in registration order. */
  combine(installed: readonly KindTypes[K]['installed'][]): Snapshot[KindTypes[K]['field']]
}

/** Sorts by priority and keeps registration order among equals (PRM-2, STA-2). */
export function byPriority<Installed extends { readonly priority: number }>(
  installed: readonly Installed[],
): readonly Installed[] {
  return [...installed].sort((a, b) => a.priority - b.priority)
}

/** A map by name, in registration order. */
export function byName<Installed>(
  installed: readonly Installed[],
  name: (one: Installed) => string,
): ReadonlyMap<string, Installed> {
  return new Map(installed.map((one) => [name(one), one]))
}

/** A deadline for code that only reads the plugin's own state, in milliseconds. */
export const RENDER_DEADLINE_MS = 2_000
