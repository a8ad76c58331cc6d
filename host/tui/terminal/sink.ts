import { sanitiseText } from '../../base/sanitise.ts'
import { cut, widthOf } from '../look/text.ts'

const STYLES = /(\x1b\[[0-9;]*m)/
// Printable ASCII and nothing else: no look at styles or widths is needed.
const PLAIN = /^[\x20-\x7e]*$/

/**
 * A line as it goes to the terminal: the one place that all lines pass (SAFE-5). Of escape sequences only those that
 * set colours and weights are let through, so that whatever a line is made of, it can neither move the cursor nor
 * switch a mode; it never takes more than `width` columns (rows T1, T7, T8).
 */
export function toTerminal(line: string, width: number): string {
  if (PLAIN.test(line)) return line.length > width ? line.slice(0, Math.max(0, width)) : line
  const parts = line.split(STYLES)
  let clean = ''
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? ''
    clean += at % 2 === 1 ? part : sanitiseText(part).replace(/[\t\n]/g, ' ')
  }
  const shown = widthOf(clean) > width ? cut(clean, width, '') : clean
  return parts.length > 1 ? `${shown}\x1b[0m` : shown
}
