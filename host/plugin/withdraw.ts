import type { Ledger } from '../ledger/ledger.ts'
import type { AnyRecord, PluginRecord } from '../ledger/record.ts'
import type { Kind } from '../registry/contribution.ts'
import type { LivePlugin } from './live-plugin.ts'

/** Takes one contribution out of its registry while the rest stays: it declined, failed or is parked (LED-3, LED-10). */
export function withdraw(
  deps: { readonly ledger: Ledger },
  plugin: LivePlugin,
  change: {
    readonly kind: Kind
    readonly name: string
    readonly status: 'declined' | 'failed'
    readonly reason: string
  },
): void {
  const record = deps.ledger.record(plugin.id)
  if (!record) return
  const isIt = (one: AnyRecord) => one.kind === change.kind && one.name === change.name
  if (!record.contributions.some(isIt)) return
  deps.ledger.commit({ set: [withdrawn(record, isIt, change)] })
  if (change.status === 'failed' && plugin.state === 'active') {
    plugin.state = 'degraded'
    plugin.reason = change.reason
  }
}

function withdrawn(
  record: PluginRecord,
  isIt: (one: AnyRecord) => boolean,
  change: { readonly status: 'declined' | 'failed'; readonly reason: string },
): PluginRecord {
  const { status, reason } = change
  const why = status === 'failed' ? `is out of order: ${reason}` : `declined: ${reason}`
  const unavailable = new Map(record.unavailable)
  for (const claim of record.contributions.filter(isIt).flatMap((one) => one.claims)) {
    unavailable.set(claim, { plugin: record.plugin, why, remedy: `amber plugin reload ${record.plugin}` })
  }
  return {
    ...record,
    contributions: record.contributions.map((one) =>
      isIt(one) ? { ...one, status, reason, installed: [] } : one,
    ),
    unavailable,
  }
}
