import type { ToolCompleted } from '../../agent/turn.ts'
import { sanitiseText } from '../../base/sanitise.ts'
import type { Theme } from '../look/theme.ts'

/** The unified diff that a tool hands to the screen, if it does. */
export function diffOf({ meta }: Pick<ToolCompleted, 'meta'>): string | undefined {
  const diff = meta?.diff
  return typeof diff === 'string' && diff.trim() !== '' ? diff : undefined
}

const MOST_LINES = 2000
const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)/

/** A unified diff with line numbers instead of headers: `41 - old`, `41 + new`. */
export function diffLines(diff: string, theme: Theme): readonly string[] {
  const lines: string[] = []
  let [before, after] = [0, 0]
  let isFirst = true
  for (const raw of diff.split('\n').slice(0, MOST_LINES)) {
    const hunk = HUNK.exec(raw)
    if (hunk !== null) {
      before = Number(hunk[1])
      after = Number(hunk[2])
      if (!isFirst) lines.push(theme.paint('dim', theme.glyphs.more))
      isFirst = false
      continue
    }
    if (isFirst || raw.startsWith('\\')) continue
    const text = sanitiseText(raw.slice(1, 2000)).replaceAll('\t', '    ')
    const row = (number: number, sign: string) => `${String(number).padStart(4)} ${sign} ${text}`
    if (raw.startsWith('-')) lines.push(theme.paint('crit', row(before++, '-')))
    else if (raw.startsWith('+')) lines.push(theme.paint('good', row(after++, '+')))
    else if (raw.startsWith(' ')) {
      lines.push(theme.paint('dim', row(after++, ' ')))
      before += 1
    }
  }
  return lines
}
