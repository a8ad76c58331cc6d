import { cut, fit, widthOf } from '../look/text.ts'
import type { Theme } from '../look/theme.ts'

/** Rows in a frame of `width` columns, with a title in its upper edge and a note in the upper or lower one. */
export function box(
  rows: readonly string[],
  frame: {
    readonly width: number
    readonly title: string
    readonly note?: string
    readonly foot?: string
    readonly theme: Theme
  },
): readonly string[] {
  const { width, theme } = frame
  const { topLeft, topRight, bottomLeft, bottomRight, across, side } = theme.glyphs.box
  if (width < 6) return rows.map((row) => cut(row, width, ''))
  const edge = (left: string, text: string, note: string, right: string) => {
    const start = text === '' ? '' : ` ${cut(text, width - 6)} `
    const isRoom = note !== '' && widthOf(start) + widthOf(note) + 8 <= width
    const end = isRoom ? ` ${note} ${across}` : ''
    const line = across.repeat(Math.max(0, width - 2 - widthOf(start) - widthOf(end)))
    return theme.paint('dim', left) + start + theme.paint('dim', `${line}${end}${right}`)
  }
  const bar = theme.paint('dim', side)
  return [
    edge(topLeft, theme.bold(frame.title), frame.note ?? '', topRight),
    ...rows.map((row) => `${bar} ${fit(row, width - 4)} ${bar}`),
    edge(bottomLeft, frame.foot === undefined ? '' : theme.paint('dim', frame.foot), '', bottomRight),
  ]
}
