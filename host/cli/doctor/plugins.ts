import type { App } from '../../app/app.ts'
import type { PluginInfo } from '../../plugin/live-plugin.ts'
import { type DoctorFinding, fine, fromDiagnostic } from './finding.ts'

/** Builds and loads every plugin that is on, and says what is wrong with any. */
export async function checkPlugins(app: App): Promise<readonly DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  let good = 0
  for (const { id, state, diagnostics } of app.plugins.list()) {
    if (state === 'disabled') {
      // Off because the file that says so is not understood: that is a fault, and the user's switch is none.
      findings.push(...diagnostics.map((one) => fromDiagnostic(`plugin ${id}`, one)))
      continue
    }
    const before = app.plugins.info(id)
    if (state === 'active') await app.plugins.swap(id, { fresh: true })
    const found = app.plugins.info(id) ?? before
    const wrong = found === undefined ? [] : findingsOf(found)
    findings.push(...wrong)
    if (wrong.length === 0) good += 1
  }
  return [fine('plugins', `${good} ${good === 1 ? 'plugin loads' : 'plugins load'}`), ...findings]
}

function findingsOf(plugin: PluginInfo): readonly DoctorFinding[] {
  const check = `plugin ${plugin.id}`
  const told = plugin.diagnostics.map((one) => fromDiagnostic(check, one))
  if (told.length > 0) return told
  const remedy = `See amber plugin info ${plugin.id}; to do without it: amber plugin off ${plugin.id}`
  const failed = plugin.contributions.filter((one) => one.status === 'failed')
  if (failed.length > 0) {
    return failed.map(({ kind, name, reason }) => ({
      severity: 'error',
      check,
      message: `its ${kind} ${name} failed: ${reason ?? 'no reason was given'}`,
      remedy,
    }))
  }
  if (plugin.state === 'active') return []
  return [{ severity: 'error', check, message: `it is ${plugin.state}: ${plugin.reason ?? ''}`, remedy }]
}
