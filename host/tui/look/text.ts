import {
  getSegmenter,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from '@earendil-works/pi-tui/dist/utils.js'

/** How many terminal columns a styled text takes. */
export const widthOf = visibleWidth

const RESET = '\x1b[0m'

/** A styled text cut to some columns; `mark` stands where something was cut off. */
export function cut(text: string, width: number, mark = '…'): string {
  if (width <= 0) return ''
  if (visibleWidth(text) <= width) return text
  const room = width - visibleWidth(mark)
  return room <= 0 ? truncateToWidth(text, width, '') : `${truncateToWidth(text, room, '')}${mark}`
}

/** The same, filled with blanks to exactly that many columns. */
export function fit(text: string, width: number): string {
  const shown = cut(text, width)
  return shown + ' '.repeat(Math.max(0, width - visibleWidth(shown)))
}

/** Text broken at words into lines of at most `width` columns, its styles kept on every line. */
export function wrap(text: string, width: number): readonly string[] {
  return wrapTextWithAnsi(text, Math.max(1, width)).map((line) =>
    line.includes('\x1b') ? line + RESET : line,
  )
}

/** Left text and right text on one line of `width` columns; the right one goes first when there is no room. */
export function sides(left: string, right: string, width: number): string {
  const rightWidth = visibleWidth(right)
  if (rightWidth === 0 || rightWidth + 8 > width) return cut(left, width)
  const start = cut(left, width - rightWidth - 2)
  return start + ' '.repeat(Math.max(0, width - visibleWidth(start) - rightWidth)) + right
}

/** What people count as one character, in order. */
export function graphemes(text: string): readonly string[] {
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
