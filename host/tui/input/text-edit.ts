import { graphemes } from '../look/text.ts'

/** A text and where the cursor stands in it, in UTF-16 units. Never inside a character. */
export interface Draft {
  readonly text: string
  readonly cursor: number
}

/** Nothing written yet. */
export const EMPTY: Draft = { text: '', cursor: 0 }

/** Puts text at the cursor. */
export function insert({ text, cursor }: Draft, more: string): Draft {
  return { text: text.slice(0, cursor) + more + text.slice(cursor), cursor: cursor + more.length }
}

/** Takes out what stands between two places; the cursor stands there then. */
export function remove({ text }: Draft, from: number, to: number): Draft {
  return { text: text.slice(0, from) + text.slice(to), cursor: from }
}

/** Where the character before a place begins. */
export function before({ text, cursor }: Draft): number {
  const last = graphemes(text.slice(Math.max(0, cursor - 64), cursor)).at(-1) ?? ''
  return cursor - last.length
}

/** Where the character at a place ends. */
export function after({ text, cursor }: Draft): number {
  const [first = ''] = graphemes(text.slice(cursor, cursor + 64))
  return cursor + first.length
}

/** Longer words are taken in parts. */
const LONGEST_WORD = 2000

/** The beginning of the word before the cursor; `until` says what words end at. */
export function wordBefore({ text, cursor }: Draft, isLong = false): number {
  // A pattern that looks for the end looks from everywhere: it is given no more than a word may be.
  const from = Math.max(0, cursor - LONGEST_WORD)
  const head = text.slice(from, cursor)
  const word = isLong ? /\S+\s*$/u : /(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)\s*$/u
  return from + (word.exec(head)?.index ?? 0)
}

/** The end of the word after the cursor. */
export function wordAfter({ text, cursor }: Draft): number {
  const found = /^\s*(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)/u.exec(text.slice(cursor))
  return found === null ? text.length : cursor + found[0].length
}

/** The beginning of the cursor's line. */
export function lineStart({ text, cursor }: Draft): number {
  return text.lastIndexOf('\n', cursor - 1) + 1
}

/** The end of the cursor's line. */
export function lineEnd({ text, cursor }: Draft): number {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

/** A line up or down at the same column; undefined where there is none. */
export function vertical(draft: Draft, by: -1 | 1): number | undefined {
  const start = lineStart(draft)
  const column = draft.cursor - start
  if (by < 0) {
    if (start === 0) return undefined
    const above = lineStart({ text: draft.text, cursor: start - 1 })
    return Math.min(above + column, start - 1)
  }
  const end = lineEnd(draft)
  if (end === draft.text.length) return undefined
  return Math.min(end + 1 + column, lineEnd({ text: draft.text, cursor: end + 1 }))
}

/** Exchanges the two characters around the cursor. */
export function transpose(draft: Draft): Draft {
  const { text } = draft
  const middle = draft.cursor === lineEnd(draft) ? before(draft) : draft.cursor
  const start = before({ text, cursor: middle })
  const end = after({ text, cursor: middle })
  if (start === middle || end === middle) return draft
  const swapped = text.slice(middle, end) + text.slice(start, middle)
  return { text: text.slice(0, start) + swapped + text.slice(end), cursor: end }
}
