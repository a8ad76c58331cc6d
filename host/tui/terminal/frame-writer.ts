import { widthOf } from '../look/text.ts'
import { FRAME_BEGIN, FRAME_END } from './modes.ts'
import { toTerminal } from './sink.ts'

/** What the screen looks like at one moment. */
export interface Frame {
  /** Columns. */
  readonly width: number
  /** As many as the screen has; fewer count as empty ones. */
  readonly rows: readonly string[]
  /** From 0; undefined hides the cursor. */
  readonly cursor: { readonly row: number; readonly column: number } | undefined
}

/** Writes frames: only the rows that changed, each where it belongs. */
export interface FrameWriter {
  /** What has to be written to get from the last frame to this one; `''` when nothing has. */
  next(frame: Frame, height: number): string
  /** Forgets what is on the screen: the next frame is written whole. */
  forget(): void
}

/**
 * Makes a writer. Rows have absolute places and a whole frame starts from an empty screen, so a resize in the middle of
 * anything leaves nothing behind (row T11).
 */
export function createFrameWriter(): FrameWriter {
  let last: readonly string[] | undefined
  let size = ''
  let cursor = ''
  return {
    forget() {
      last = undefined
    },
    next(frame, height) {
      const now = `${frame.width}x${height}`
      const before = now === size ? last : undefined
      size = now
      let changes = before === undefined ? '\x1b[0m\x1b[2J' : ''
      for (let row = 0; row < height; row += 1) {
        const line = frame.rows[row] ?? ''
        if (line === (before?.[row] ?? '')) continue
        const shown = toTerminal(line, frame.width)
        // After the last column the cursor still stands on it, and clearing to the end would take its letter.
        const rest = widthOf(shown) < frame.width ? '\x1b[K' : ''
        changes += `\x1b[${row + 1};1H${shown}${rest}`
      }
      last = frame.rows
      const place = placeOf(frame, height)
      if (changes === '' && place === cursor) return ''
      cursor = place
      return FRAME_BEGIN + changes + place + FRAME_END
    },
  }
}

function placeOf({ cursor, width }: Frame, height: number): string {
  if (cursor === undefined) return ''
  const row = Math.min(Math.max(0, cursor.row), height - 1)
  const column = Math.min(Math.max(0, cursor.column), width - 1)
  return `\x1b[${row + 1};${column + 1}H\x1b[?25h`
}
