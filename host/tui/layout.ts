import type { DialogView } from './dialog/dialogs.ts'
import type { InputLines } from './input/input-lines.ts'
import type { Frame } from './terminal/frame-writer.ts'

/** What a frame is put together from. */
export interface Parts {
  readonly width: number
  readonly height: number
  readonly header: string
  /** The part of the conversation that is looked at. */
  readonly conversation: (height: number) => readonly string[]
  readonly status: string
  readonly input: InputLines
  /** Under the input: what is queued, the drawer. */
  readonly below: readonly string[]
  /** Stands in the place of the input while it is open. */
  readonly dialog: DialogView | undefined
}

/** Below this many rows the header gives its place to the conversation. */
const HEADER_FROM = 10

/** From top to bottom: header, conversation, bar, input and what hangs under it. Pure; right at any size (row T3). */
export function compose(parts: Parts): Frame {
  const { width, height, dialog, input, status } = parts
  const asked = dialog === undefined ? undefined : dialogBottom(dialog, status, height)
  const bottom = asked ?? inputBottom(parts)
  const header = height >= HEADER_FROM ? [parts.header, ''] : []
  const room = Math.max(0, height - bottom.rows.length - header.length)
  const conversation = room === 0 ? [] : parts.conversation(room).slice(0, room)
  const blank = Array.from({ length: room - conversation.length }, () => '')
  const cursor = asked === undefined ? input.cursor : dialog?.cursor
  const start = header.length + room
  return {
    width,
    rows: [...header, ...conversation, ...blank, ...bottom.rows].slice(0, Math.max(1, height)),
    cursor:
      cursor === undefined
        ? undefined
        : { row: start + bottom.cursorFrom + cursor.row, column: cursor.column },
  }
}

interface Bottom {
  readonly rows: readonly string[]
  /** Where the rows begin that the cursor counts in. */
  readonly cursorFrom: number
}

function inputBottom({ height, status, input, below }: Parts): Bottom {
  if (height <= 1) {
    return { rows: input.rows.slice(input.cursor.row, input.cursor.row + 1), cursorFrom: -input.cursor.row }
  }
  const room = Math.max(0, height - 1 - input.rows.length)
  const rows = [status, ...input.rows, ...below.slice(0, room)]
  return { rows: rows.slice(0, height), cursorFrom: 1 }
}

/** Too high a dialog loses its upper rows: the choices stand in the lower ones. */
function dialogBottom(dialog: DialogView, status: string, height: number): Bottom {
  const cutOff = Math.max(0, dialog.rows.length - Math.max(1, height - 1))
  const rows = [...dialog.rows.slice(cutOff), ...(height > 1 ? [status] : [])]
  return { rows, cursorFrom: -cutOff }
}
