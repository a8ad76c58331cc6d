import { sanitiseText } from '../../base/sanitise.ts'
import { cut, duration, wrap } from '../look/text.ts'
import type { Tone } from '../look/theme.ts'
import { type Block, INDENT } from './block.ts'
import { createMarkdownText } from './markdown-text.ts'

/** Lines of a message that are shown while it is folded; what is little longer is shown whole. */
const SHOWN_LINES = 20
const LITTLE = 4
/** A line may be a megabyte: so much of it is shown while it is folded, in UTF-16 units. */
const SHOWN_UNITS = 4000

/** What the user said. What was pasted by the page is folded, and unfolds. */
export function userBlock(text: string): Block {
  const clean = sanitiseText(text)
  const lines = clean.split('\n')
  const left = lines.length - SHOWN_LINES
  const head = left > LITTLE ? lines.slice(0, SHOWN_LINES).join('\n') : clean
  const isLong = left > LITTLE || head.length > SHOWN_UNITS
  let open = false
  let stamp = 0
  const draw: Block['draw'] = (width, { theme }) => {
    const mark = theme.paint('accent', theme.glyphs.prompt)
    const shown = open ? clean : head.slice(0, SHOWN_UNITS)
    const rows = wrap(theme.bold(shown), width - 2).map((line, at) => `${at === 0 ? mark : ' '} ${line}`)
    if (!isLong || open) return rows
    const more = left > LITTLE ? `${left} more lines` : `${clean.length - shown.length} more characters`
    return [...rows, theme.paint('dim', cut(`${INDENT}${theme.glyphs.more} ${more} (enter unfolds)`, width))]
  }
  if (!isLong) return { dense: '', stamp: () => 0, draw }
  return {
    dense: '',
    stamp: () => stamp,
    draw,
    fold: {
      isOpen: () => open,
      set(to) {
        open = to
        stamp += 1
      },
    },
  }
}

/** The files that went with what the user said, and what is to be known of those that did not. */
export function attachmentBlocks(attached: {
  readonly files: readonly string[]
  readonly notices: readonly string[]
}): readonly Block[] {
  const sent = attached.files.length === 0 ? [] : [noticeBlock(`with ${attached.files.join(', ')}`, 'dim')]
  return [...sent, ...attached.notices.map((notice) => noticeBlock(notice, 'warn'))]
}

/** An answer as it grows. */
export interface AnswerBlock extends Block {
  append(delta: string): void
  isEmpty(): boolean
}

/** Makes an empty answer. */
export function answerBlock(): AnswerBlock {
  const markdown = createMarkdownText()
  let stamp = 0
  return {
    dense: '',
    stamp: () => stamp,
    append(delta) {
      markdown.append(sanitiseText(delta))
      stamp += 1
    },
    isEmpty: () => markdown.text().trim() === '',
    draw: (width, look) =>
      markdown.lines(Math.max(1, width - 2), look).map((line) => (line === '' ? '' : INDENT + line)),
  }
}

/** The model's reasoning: one dim line that unfolds. */
export interface ReasoningBlock extends Block {
  append(delta: string): void
  /** No more comes. */
  end(now: number): void
}

/** Makes one; `started` is monotonic, in milliseconds; undefined: of a stored one nobody knows what time it took. */
export function reasoningBlock(started: number | undefined): ReasoningBlock {
  let text = ''
  let open = false
  let ended: number | undefined
  let stamp = 0
  return {
    dense: 'call',
    // Its clock goes by whole seconds.
    stamp: (now) => stamp + (ended === undefined ? Math.floor((now - (started ?? now)) / 1000) : 0),
    append(delta) {
      text += sanitiseText(delta)
      if (open) stamp += 1000
    },
    end(now) {
      ended ??= now
      stamp += 1_000_000
    },
    fold: {
      isOpen: () => open,
      set(to) {
        open = to
        stamp += 1_000_000
      },
    },
    draw(width, { theme }, now) {
      const spent = Math.max(0, (ended ?? now) - (started ?? now))
      const took = ended === undefined ? `${Math.floor(spent / 1000)} s` : duration(spent)
      const mark = open ? theme.glyphs.unfolded : theme.glyphs.folded
      const time = started === undefined ? '' : `   ${took}`
      const head = theme.paint('dim', `${INDENT}${mark} thinking${time}`)
      if (!open) return [head]
      const lines = wrap(text.trim(), width - 6).map((line) =>
        theme.paint('dim', `    ${theme.glyphs.bar} ${line}`),
      )
      return [head, ...lines]
    },
  }
}

/** A short line of amber's own, in a tone. */
export function noticeBlock(text: string, tone: Tone = 'dim'): Block {
  const clean = sanitiseText(text)
  return {
    dense: 'notice',
    stamp: () => 0,
    draw: (width, { theme }) => wrap(clean, width - 2).map((line) => INDENT + theme.paint(tone, line)),
  }
}

/** Something that is wrong, with the lines that show where: they unfold. `lines` may be styled. */
export function problemBlock(text: string, lines: readonly string[]): Block {
  const clean = sanitiseText(text)
  let open = false
  return {
    dense: 'notice',
    stamp: () => (open ? 1 : 0),
    fold: {
      isOpen: () => open,
      set(to) {
        open = to
      },
    },
    draw(width, { theme }) {
      const mark = open ? theme.glyphs.unfolded : theme.glyphs.folded
      const note = open ? '' : theme.paint('dim', '  (ctrl+o shows where)')
      const head = wrap(`${theme.paint('warn', `${mark} ${clean}`)}${note}`, width - 2).map(
        (line) => INDENT + line,
      )
      return open ? [...head, ...lines.map((line) => cut(`    ${line}`, width))] : head
    },
  }
}

/** An error: what, and what to do. */
export function errorBlock(message: string, hint: string): Block {
  const [what, todo] = [sanitiseText(message), sanitiseText(hint)]
  return {
    dense: '',
    stamp: () => 0,
    draw(width, { theme }) {
      const first = wrap(`${theme.glyphs.bad} ${what}`, width - 2).map(
        (line) => INDENT + theme.paint('crit', line),
      )
      return todo === '' ? first : [...first, ...wrap(todo, width - 4).map((line) => `    ${line}`)]
    },
  }
}

/** A command and what it said. */
export function commandBlock(line: string, text: string, ok: boolean): Block {
  const [command, answer] = [sanitiseText(line), sanitiseText(text).trimEnd()]
  return {
    dense: '',
    stamp: () => 0,
    draw(width, { theme }) {
      const head = theme.paint('dim', `${theme.glyphs.prompt} ${command}`)
      const tone: Tone = ok ? 'plain' : 'warn'
      const lines = answer === '' ? [] : answer.split('\n').flatMap((one) => wrap(one, width - 2))
      return [head, ...lines.map((one) => (one === '' ? '' : INDENT + theme.paint(tone, one)))]
    },
  }
}
