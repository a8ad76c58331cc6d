import type { Kind, LedgerEntry, PluginSource } from '../registry/contribution.ts'
import type { KindTypes } from '../registry/kind.ts'
import type { UnavailableName } from '../registry/snapshot.ts'

/** One contribution as the ledger keeps it: its line, what it claims, and what it put into its registry. */
export interface ContributionRecord<K extends Kind = Kind> extends LedgerEntry {
  readonly kind: K
  readonly claims: readonly string[]
  /** Equal signatures: neither the manifest part nor the code behind it changed (SWAP-5). */
  readonly signature: string
  /** Empty unless the status is `installed`. */
  readonly installed: readonly KindTypes[K]['installed'][]
}

/** Any kind's record; the kind tells which. */
export type AnyRecord = { [K in Kind]: ContributionRecord<K> }[Kind]

/** Everything that one plugin has in the ledger. */
export interface PluginRecord {
  readonly plugin: string
  readonly source: PluginSource
  /** In install order. */
  readonly contributions: readonly AnyRecord[]
  /** Names that resolve to an error while the plugin is off or broken, by `kind:name`. */
  readonly unavailable: ReadonlyMap<string, UnavailableName>
}

const SOURCE_RANK: Readonly<Record<PluginSource, number>> = { bundled: 0, user: 1, workspace: 2, flag: 3 }

/** Registration order: bundled, user, workspace, `--plugin`, then by id (LED-5). It survives swaps and toggles. */
export function compareOrder(
  a: { readonly plugin: string; readonly source: PluginSource },
  b: { readonly plugin: string; readonly source: PluginSource },
): number {
  const rank = SOURCE_RANK[a.source] - SOURCE_RANK[b.source]
  if (rank !== 0) return rank
  return a.plugin < b.plugin ? -1 : a.plugin > b.plugin ? 1 : 0
}

/** All that records of one kind installed, in their order. */
export function installedOf<K extends Kind>(
  records: readonly AnyRecord[],
  kind: K,
): readonly KindTypes[K]['installed'][] {
  return records.flatMap((one) => (isOfKind(one, kind) ? one.installed : []))
}

function isOfKind<K extends Kind>(
  record: AnyRecord,
  kind: K,
): record is AnyRecord & { readonly installed: readonly KindTypes[K]['installed'][] } {
  return record.kind === kind
}
