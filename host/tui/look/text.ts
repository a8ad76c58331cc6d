import {
  getSegmenter,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from '@earendil-works/pi-tui/dist/utils.js'

const STYLES = /\x1b\[[0-9;]*m/g
/** Letters and signs of one column each, as nearly all of a screen is: the library need not look at them. */
const NARROW =
  /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2190-\u21ff\u2212\u2500-\u25fc\u25ff\u2714\u2716\u276f]*$/

/** How many terminal columns a styled text takes. */
export function widthOf(text: string): number {
  const bare = text.includes('\x1b') ? text.replace(STYLES, '') : text
  return NARROW.test(bare) ? bare.length : visibleWidth(text)
}

const RESET = '\x1b[0m'

/** A styled text cut to some columns; `mark` stands where something was cut off. */
export function cut(text: string, width: number, mark = '…'): string {
  if (width <= 0) return ''
  if (widthOf(text) <= width) return text
  const room = width - widthOf(mark)
  if (room > 0 && NARROW.test(text)) return text.slice(0, room) + mark
  return room <= 0 ? truncateToWidth(text, width, '') : `${truncateToWidth(text, room, '')}${mark}`
}

/** The same, filled with blanks to exactly that many columns. */
export function fit(text: string, width: number): string {
  const shown = cut(text, width)
  return shown + ' '.repeat(Math.max(0, width - widthOf(shown)))
}

/** Text broken at words into lines of at most `width` columns, its styles kept on every line. */
export function wrap(text: string, width: number): readonly string[] {
  if (NARROW.test(text) && text.length <= width) return [text]
  return wrapTextWithAnsi(text, Math.max(1, width)).map((line) =>
    line.includes('\x1b') ? line + RESET : line,
  )
}

/** Left text and right text on one line of `width` columns; the right one goes first when there is no room. */
export function sides(left: string, right: string, width: number): string {
  const rightWidth = widthOf(right)
  if (rightWidth === 0 || rightWidth + 8 > width) return cut(left, width)
  const start = cut(left, width - rightWidth - 2)
  return start + ' '.repeat(Math.max(0, width - widthOf(start) - rightWidth)) + right
}

/** What people count as one character, in order. */
export function graphemes(text: string): readonly string[] {
  if (NARROW.test(text)) return [...text]
  return [...getSegmenter().segment(text)].map(({ segment }) => segment)
}

/** A duration as the screen says it: `2 ms`, `3.4 s`, `2 m 05 s`. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} m ${String(whole % 60).padStart(2, '0')} s`
}

/** Token counts: below 1000 plain, below 10k one decimal, else rounded (bundled-plugins 7); a dash when unknown. */
export function tokenCount(count: number | undefined, unknown = '-'): string {
  if (count === undefined) return unknown
  if (count < 1000) return String(count)
  return count < 10_000 ? `${(count / 1000).toFixed(1)}k` : `${Math.round(count / 1000)}k`
}
