import type { ToolCompleted, ToolRequested } from '../../agent/turn.ts'
import { sanitiseLine, sanitiseText } from '../../base/sanitise.ts'
import { cut, duration, sides, wrap } from '../look/text.ts'
import type { Theme } from '../look/theme.ts'
import { type Block, type Fold, INDENT } from './block.ts'
import { diffLines, diffOf } from './diff-lines.ts'
import type { Look } from './look.ts'
import { outcomeOf } from './tool-outcome.ts'

/** A call that ended; of a stored one nobody knows what time it took. */
export type FinishedCall = Omit<ToolCompleted, 'durationMs'> & { readonly durationMs?: number }

/** A tool call: one live line that unfolds to its arguments, output and diff. */
export interface ToolBlock extends Block {
  readonly fold: Fold
  progress(text: string): void
  /** A line of a sub-agent that works under this call. */
  child(line: string): void
  complete(call: FinishedCall): void
  /** The turn ended before the call did. */
  abandon(): void
  isRunning(): boolean
}

/** Lines of output that a failed call shows without being asked, and that a diff shows. */
const PREVIEW = { failed: 3, diff: 8 }
/** Of an unfolded output; the rest is a count. A line is cut at so many characters (row G4). */
const MOST = { lines: 500, length: 4000, children: 200 }
const VERB_WIDTH = 10

/** Makes a running one; `started` is monotonic, in milliseconds. */
export function toolBlock(call: ToolRequested, started: number): ToolBlock {
  let done: FinishedCall | undefined
  let isAbandoned = false
  let open = false
  let stamp = 0
  let progress = ''
  const children: string[] = []
  const changed = () => {
    stamp += 1_000_000
  }
  const isRunning = () => done === undefined && !isAbandoned
  const verb = () => sanitiseLine(done?.verb ?? call.verb)
  const summary = () => sanitiseLine(done?.summary ?? call.summary)

  const head = (width: number, { theme }: Look, now: number) => {
    const { glyphs } = theme
    const mark = isRunning() ? theme.paint('accent', glyphs.running) : open ? glyphs.unfolded : glyphs.folded
    const colour = isRunning() ? 'accent' : done?.ok === false ? 'crit' : 'plain'
    const left = `${INDENT}${mark} ${theme.paint(colour, verb().padEnd(VERB_WIDTH))} ${summary()}`
    return sides(left, rightSide(theme, now), width)
  }
  const rightSide = (theme: Theme, now: number) => {
    if (done !== undefined) {
      const time = done.durationMs === undefined ? '' : duration(done.durationMs)
      return `${outcomeOf(done, theme)}   ${theme.paint('dim', time.padStart(7))}`
    }
    if (isAbandoned) return theme.paint('dim', 'stopped')
    const seconds = Math.floor((now - started) / 1000)
    const clock = seconds > 0 ? `${seconds} s` : ''
    return theme.paint('dim', progress === '' ? clock : `${cut(progress, 40)}   ${clock}`)
  }
  const hang = (line: string, width: number, theme: Theme) =>
    `    ${theme.paint('dim', theme.glyphs.bar)} ${cut(line, width - 6)}`

  const preview = (width: number, look: Look): readonly string[] => {
    if (done === undefined)
      return children.slice(-3).map((line) => hang(look.theme.paint('dim', line), width, look.theme))
    const diff = diffOf(done)
    if (diff !== undefined && done.ok)
      return limited(diffLines(diff, look.theme), PREVIEW.diff, width, look.theme)
    if (done.ok) return []
    return limited(outputLines(done.output), PREVIEW.failed, width, look.theme)
  }
  const limited = (lines: readonly string[], most: number, width: number, theme: Theme) => {
    const shown = lines.slice(0, most).map((line) => hang(line, width, theme))
    const left = lines.length - shown.length
    const last = shown.at(-1)
    if (left <= 0 || last === undefined) return shown
    const note = theme.paint(
      'dim',
      `${theme.glyphs.more} ${left} more ${left === 1 ? 'line' : 'lines'} (ctrl+o unfolds)`,
    )
    return [...shown.slice(0, -1), sides(last, note, width)]
  }
  const details = (width: number, look: Look): readonly string[] => {
    const { theme } = look
    const label = (text: string) => hang(theme.paint('dim', text), width, theme)
    const show = (lines: readonly string[]) =>
      lines.flatMap((line) => wrap(line, width - 6)).map((line) => hang(line, width, theme))
    const given = argumentLines(call.arguments)
    const diff = done === undefined ? undefined : diffOf(done)
    const output = done === undefined ? [] : outputLines(done.output)
    const left = output.length - MOST.lines
    return [
      ...(given.length === 0 ? [] : [...show(given)]),
      ...children.map((line) => hang(line, width, theme)),
      ...(diff === undefined ? [] : show(diffLines(diff, theme))),
      ...(output.length === 0 ? [] : [label('output'), ...show(output.slice(0, MOST.lines))]),
      ...(left > 0 ? [label(`${theme.glyphs.more} ${left} more lines`)] : []),
    ]
  }

  return {
    dense: 'call',
    stamp: (now) => stamp + (isRunning() ? Math.floor((now - started) / 1000) : 0),
    draw: (width, look, now) => [
      head(width, look, now),
      ...(open ? details(width, look) : preview(width, look)),
    ],
    fold: {
      isOpen: () => open,
      set(to) {
        open = to
        changed()
      },
    },
    progress(text) {
      progress = sanitiseLine(text)
      changed()
    },
    child(line) {
      children.push(sanitiseLine(line))
      if (children.length > MOST.children) children.shift()
      changed()
    },
    complete(call) {
      done = call
      changed()
    },
    abandon() {
      isAbandoned = done === undefined
      changed()
    },
    isRunning,
  }
}

function outputLines(output: string): readonly string[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => {
      // Cut before anything else looks at it: a megabyte on one line costs what a screen of it costs.
      const left = line.length - MOST.length
      const shown = sanitiseText(left > 0 ? line.slice(0, MOST.length) : line).replaceAll('\t', '    ')
      return left > 0 ? `${shown} … ${left} more characters` : shown
    })
}

function argumentLines(given: unknown): readonly string[] {
  if (typeof given !== 'object' || given === null) return []
  return Object.entries(given).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    const [first = '', ...rest] = outputLines(text).slice(0, 40)
    return [`${sanitiseLine(name)}: ${first}`, ...rest.map((line) => `  ${line}`)]
  })
}
