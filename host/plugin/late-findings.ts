import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { Manifest } from '../../manifests/manifest.ts'
import type { Outcome, PluginFault } from '../base/outcome.ts'
import type { Kind, RawEntry } from '../registry/contribution.ts'
import { KINDS } from '../registry/kinds.ts'
import type { LivePlugin } from './live-plugin.ts'
import { placeFindings } from './place-findings.ts'
import { findingsOf, type VersionDeps } from './versions.ts'
import { withdraw } from './withdraw.ts'

/** What telling late findings needs. */
export interface LateDeps extends VersionDeps {
  readonly onDiagnostic: (plugin: string, diagnostic: Diagnostic) => void
}

/**
 * A lazy start ended, long after the plugin was registered: what its code declined, lacks or failed leaves the
 * registries, and the rest stays (LED-3, LED-6).
 */
export function takeLateFindings(deps: LateDeps, plugin: LivePlugin, outcome: Outcome<RawEntry>): void {
  const { manifest } = plugin
  if (!manifest) return
  if (outcome.kind === 'fault') failCode(deps, plugin, { manifest, fault: outcome.fault })
  if (outcome.kind !== 'value') return
  const inspected = findingsOf(deps, plugin, { manifest, entry: outcome.value })
  if (inspected.kind === 'fault') failCode(deps, plugin, { manifest, fault: inspected.fault })
  if (inspected.kind !== 'value') return
  const findings = inspected.value
  const wrong: Diagnostic[] = [...findings.extra]
  for (const { kind, name } of deps.ledger.record(plugin.id)?.contributions ?? []) {
    const failed = findings.failed.get(`${kind}:${name}`)
    const declined = findings.declined.get(`${kind}:${name}`)
    if (failed) {
      wrong.push(failed)
      withdraw(deps, plugin, { kind, name, status: 'failed', reason: failed.message })
    } else if (declined !== undefined)
      withdraw(deps, plugin, { kind, name, status: 'declined', reason: declined })
  }
  if (wrong.length > 0) void note(deps, plugin, wrong)
}

/** The code did not start: everything that needs it fails, and its names say so (architecture 3, rule 6). */
function failCode(
  deps: LateDeps,
  plugin: LivePlugin,
  failure: { readonly manifest: Manifest; readonly fault: PluginFault },
): void {
  const { manifest, fault } = failure
  const reason = fault.diagnostic.message
  plugin.diagnostics = [...plugin.diagnostics, fault.diagnostic]
  const installed = () =>
    (deps.ledger.record(plugin.id)?.contributions ?? []).filter((one) => one.status === 'installed')
  for (const { kind, name } of installed()) {
    if (needsCode(manifest, kind, name)) withdraw(deps, plugin, { kind, name, status: 'failed', reason })
  }
  plugin.state = installed().length > 0 ? 'degraded' : 'failed'
  plugin.reason = reason
}

function needsCode(manifest: Manifest, kind: Kind, name: string): boolean {
  return KINDS[kind].declare(manifest).some((one) => one.name === name && one.handlers.length > 0)
}

/** Counts at once, and is told with the lines that it is about (SWAP-10). Never rejects. */
async function note(deps: LateDeps, plugin: LivePlugin, found: readonly Diagnostic[]): Promise<void> {
  plugin.diagnostics = [...plugin.diagnostics, ...found]
  plugin.state = 'degraded'
  plugin.reason ??= found[0]?.message
  const inputs = plugin.code?.current.bundle?.inputs.keys() ?? []
  const placed = await placeFindings(found, { folder: plugin.folder, inputs }).catch(() => found)
  const placeOf = (one: Diagnostic) => placed[found.indexOf(one)] ?? one
  plugin.diagnostics = plugin.diagnostics.map(placeOf)
  for (const one of placed) deps.onDiagnostic(plugin.id, one)
}
