import type { ToolCompleted } from '../../agent/turn.ts'
import { sanitiseLine } from '../../base/sanitise.ts'
import type { Theme } from '../look/theme.ts'

/**
 * What came of a call, in a few columns: `exit 1`, `+2 −1`, `6 hits`, `failed`. From what tools say in `meta`; a tool
 * that says nothing shows nothing.
 */
export function outcomeOf({ ok, meta = {} }: Pick<ToolCompleted, 'ok' | 'meta'>, theme: Theme): string {
  const exit = numberIn(meta, 'exitCode') ?? numberIn(meta, 'exit')
  if (exit !== undefined) return theme.paint(exit === 0 ? 'dim' : 'crit', `exit ${exit}`)
  const signal = meta.signal
  if (typeof signal === 'string' && signal !== '')
    return theme.paint('crit', sanitiseLine(signal).slice(0, 12))
  if (!ok) return theme.paint('crit', 'failed')
  const added = numberIn(meta, 'added')
  const removed = numberIn(meta, 'removed')
  if (added !== undefined && removed !== undefined) {
    return `${theme.paint('good', `+${added}`)} ${theme.paint('crit', `${theme.glyphs.minus}${removed}`)}`
  }
  const shown = numberIn(meta, 'shown')
  if (shown !== undefined) {
    const total = numberIn(meta, 'total') ?? shown
    return theme.paint('dim', `${total}${meta.truncated === true ? '+' : ''} ${total === 1 ? 'hit' : 'hits'}`)
  }
  const lines = numberIn(meta, 'lines')
  return lines === undefined ? '' : theme.paint('dim', `${lines} ${lines === 1 ? 'line' : 'lines'}`)
}

function numberIn(meta: Readonly<Record<string, unknown>>, key: string): number | undefined {
  const value = meta[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
