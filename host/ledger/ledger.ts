import type { Kind } from '../registry/contribution.ts'
import { KIND_ORDER, KINDS } from '../registry/kinds.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import { type AnyRecord, compareOrder, installedOf, type PluginRecord } from './record.ts'

/** Names that belong to the host itself, `kind:name` to what holds them. */
export type ReservedNames = ReadonlyMap<string, string>

/**
 * Keeps every contribution of every plugin, and the one pointer to the immutable snapshot that all readers use.
 * Nothing gets into a registry except through {@link Ledger.commit} (LED-1), which is synchronous (SWAP-3).
 */
export class Ledger {
  readonly #records = new Map<string, PluginRecord>()
  readonly #reserved: ReservedNames
  readonly #listeners = new Set<(snapshot: Snapshot) => void>()
  #owners = new Map<string, string>()
  #snapshot: Snapshot = emptySnapshot()

  constructor(reserved: ReservedNames = new Map()) {
    this.#reserved = reserved
  }

  /** What is installed now. */
  snapshot(): Snapshot {
    return this.#snapshot
  }

  /** What a plugin has in the ledger. */
  record(plugin: string): PluginRecord | undefined {
    return this.#records.get(plugin)
  }

  /** Who holds a name, `kind:name`: a plugin's id, or the host's own word for itself. */
  ownerOf(claim: string): string | undefined {
    return this.#reserved.get(claim) ?? this.#owners.get(claim)
  }

  /** Is called after each commit, with the new snapshot. */
  onCommit(listener: (snapshot: Snapshot) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Puts the given plugins' records in place of their old ones, takes the removed out, and moves the pointer once. */
  commit(change: { readonly set?: readonly PluginRecord[]; readonly remove?: readonly string[] }): Snapshot {
    const touched = new Set<Kind>()
    const forget = (plugin: string) => {
      for (const one of this.#records.get(plugin)?.contributions ?? []) touched.add(one.kind)
      this.#records.delete(plugin)
    }
    for (const plugin of change.remove ?? []) forget(plugin)
    for (const record of change.set ?? []) {
      forget(record.plugin)
      for (const one of record.contributions) touched.add(one.kind)
      this.#records.set(record.plugin, record)
    }
    const records = [...this.#records.values()].sort(compareOrder)
    this.#owners = ownersOf(records)
    this.#snapshot = combine(this.#snapshot, records, touched)
    for (const listener of this.#listeners) listener(this.#snapshot)
    return this.#snapshot
  }
}

/** The snapshot of a host without plugins. */
export function emptySnapshot(): Snapshot {
  return {
    generation: 0,
    ledger: [],
    tools: new Map(),
    promptBlocks: [],
    statusSegments: [],
    panels: new Map(),
    commands: new Map(),
    providers: { presets: new Map(), flavors: new Map() },
    wallets: new Map(),
    allowances: new Map(),
    searchBackends: new Map(),
    skills: new Map(),
    unavailable: new Map(),
  }
}

/** A failed contribution keeps its names: they never fall to another owner (architecture 3, rule 6). */
function ownersOf(records: readonly PluginRecord[]): Map<string, string> {
  const owners = new Map<string, string>()
  for (const record of records) {
    for (const one of record.contributions) {
      if (one.status === 'declined') continue
      for (const claim of one.claims) if (!owners.has(claim)) owners.set(claim, record.plugin)
    }
  }
  return owners
}

function combine(before: Snapshot, records: readonly PluginRecord[], touched: ReadonlySet<Kind>): Snapshot {
  const all = records.flatMap((record) => record.contributions)
  const fields = KIND_ORDER.filter((kind) => touched.has(kind)).map((kind) => combineKind(kind, all))
  // Of two that are off, the first in order has the name: a workspace's plugin speaks for nobody else's.
  const unavailable = new Map(records.flatMap((record) => [...record.unavailable]).reverse())
  return Object.freeze(
    Object.assign({}, before, ...fields, {
      generation: before.generation + 1,
      ledger: all.map(toEntry),
      unavailable,
    }),
  )
}

function combineKind<K extends Kind>(kind: K, all: readonly AnyRecord[]): Partial<Snapshot> {
  const definition = KINDS[kind]
  const installed = installedOf(all, kind)
  return { [definition.field]: definition.combine(installed) }
}

function toEntry({ plugin, kind, name, generation, status, reason }: AnyRecord) {
  return { plugin, kind, name, generation, status, ...(reason === undefined ? {} : { reason }) }
}
