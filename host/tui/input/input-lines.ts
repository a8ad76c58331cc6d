import { graphemes, widthOf } from '../look/text.ts'
import type { Theme } from '../look/theme.ts'
import type { Draft } from './text-edit.ts'

/** The input as it is drawn. */
export interface InputLines {
  readonly rows: readonly string[]
  /** Within the rows. */
  readonly cursor: { readonly row: number; readonly column: number }
}

/** How the input is drawn. */
export interface InputShape {
  readonly width: number
  /** Rows at most; the cursor's row is always among those shown. */
  readonly height: number
  /** Stands before the first row; the others are set in as far. */
  readonly prompt: string
  /** Stands dim after the text when the cursor is at its end. */
  readonly ghost: string
  readonly placeholder: string
  /** Nothing of the text is shown, for secrets. */
  readonly isHidden?: boolean
  readonly theme: Theme
}

/** Stands for any secret: something was typed, and not even how long it is can be seen. */
const HIDDEN: Draft = { text: '********', cursor: 8 }

/** Lays a draft out: broken at the edge, control characters visible, the cursor where it belongs. */
export function inputLines(whole: Draft, shape: InputShape): InputLines {
  if (shape.isHidden && whole.text !== '') return inputLines(HIDDEN, { ...shape, isHidden: false })
  const { theme, prompt } = shape
  const indent = Math.min(widthOf(prompt), Math.max(0, shape.width - 4))
  const room = Math.max(1, shape.width - indent - 1)
  const draft = around(whole, shape.height, room)
  const rows: string[] = ['']
  let column = 0
  let cursor = { row: 0, column: 0 }
  let offset = 0
  const put = (text: string, width: number) => {
    if (column + width > room) {
      rows.push('')
      column = 0
    }
    rows[rows.length - 1] += text
    column += width
  }
  const mark = () => {
    if (offset === draft.cursor) cursor = { row: rows.length - 1, column }
  }
  for (const character of graphemes(draft.text)) {
    mark()
    offset += character.length
    if (character === '\n') {
      rows.push('')
      column = 0
      continue
    }
    const shown = visible(character)
    put(shown, widthOf(shown))
  }
  mark()
  if (draft.text === '' && shape.placeholder !== '') rows[0] = theme.paint('dim', shape.placeholder)
  else if (shape.ghost !== '' && draft.cursor === draft.text.length)
    rows[rows.length - 1] += theme.paint('dim', shape.ghost)
  const most = Math.max(1, shape.height)
  const from = Math.min(Math.max(0, cursor.row - most + 1), Math.max(0, rows.length - most))
  const pad = ' '.repeat(indent)
  return {
    rows: rows.slice(from, from + most).map((row, at) => (at === 0 ? prompt : pad) + row),
    cursor: { row: cursor.row - from, column: indent + cursor.column },
  }
}

/** More than this a row of a draft hardly ever holds, in UTF-16 units for each column: joined emoji, accents. */
const UNITS = 8
/** Where a draft that is far too long for the screen may be cut: the rows must not shift at each letter. */
const BLOCK = 1024

/**
 * The part of a draft that can be seen: a megabyte that was pasted is laid out by the few rows around the cursor. Rows
 * begin at lines; a line that is longer than the screen by far begins at a fixed place of its own.
 */
function around({ text, cursor }: Draft, height: number, room: number): Draft {
  const most = Math.max(1, height)
  const reach = most * room * UNITS
  if (text.length <= reach + BLOCK) return { text, cursor }
  let start = cursor
  for (let line = 0; line <= most && start > 0; line += 1) start = text.lastIndexOf('\n', start - 2) + 1
  if (cursor - start > reach) start = Math.floor((cursor - reach) / BLOCK) * BLOCK
  if (isLowSurrogate(text, start)) start += 1
  let end = cursor
  for (let line = 0; line <= most && end < text.length; line += 1) {
    const next = text.indexOf('\n', end + 1)
    end = next < 0 ? text.length : next
  }
  end = Math.min(end, cursor + reach)
  if (isLowSurrogate(text, end)) end += 1
  return { text: text.slice(start, end), cursor: cursor - start }
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}

/** Control characters take a column and are seen: what was pasted is what will be sent. */
function visible(character: string): string {
  if (character === '\t') return '    '
  const code = character.codePointAt(0) ?? 32
  if (code < 32) return String.fromCodePoint(0x2400 + code)
  if (code === 127) return '␡'
  return (code >= 0x80 && code < 0xa0) || /[\u202a-\u202e\u2066-\u2069]/.test(character) ? '�' : character
}
