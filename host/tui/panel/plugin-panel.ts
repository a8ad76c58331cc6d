import { sanitiseLine, sanitiseText } from '../../base/sanitise.ts'
import type { InstalledPanel } from '../../registry/contribution.ts'
import type { PanelView } from './panel-view.ts'

const STYLES = /(\x1b\[[0-9;]*m)/

/** A plugin's panel: its lines may carry colours and weights, and nothing else that moves a terminal. */
export function pluginPanel(panel: InstalledPanel): PanelView {
  return {
    id: panel.id,
    title: () => `${sanitiseLine(panel.title)} (${panel.plugin})`,
    lines(width, theme) {
      const outcome = panel.lines(width)
      if (outcome === undefined) return []
      if (outcome.kind === 'value') return outcome.value.map(clean)
      const why = outcome.kind === 'declined' ? outcome.why : outcome.fault.diagnostic.message
      return [theme.paint('crit', `This panel cannot be drawn: ${sanitiseLine(why)}`)]
    },
    onKey: (key) => panel.onKey(key),
  }
}

function clean(line: string): string {
  const parts = line.split(STYLES)
  return (
    parts.map((part, at) => (at % 2 === 1 ? part : sanitiseText(part))).join('') +
    (parts.length > 1 ? '\x1b[0m' : '')
  )
}
