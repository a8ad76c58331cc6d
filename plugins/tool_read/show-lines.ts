import { cutBytes } from './cut-bytes.ts'
import type { KeptLine, WindowedLines } from './line-window.ts'

/** Bytes of one line that are shown. */
export const LINE_BYTES = 4096

/** Bytes that all lines together may take, so that the trailer always fits below the 64 KiB of a result (TOOL-8). */
const OUTPUT_BYTES = 60_000

const CARRIAGE_RETURN = 13

/** Lines as a model reads them, and the last of them. */
export interface ShownLines {
  readonly text: string
  /** The last line shown; 0 when none is. */
  readonly to: number
  /** What is odd about the file: kinds of line end, bytes that are no UTF-8. */
  readonly notes: readonly string[]
}

/** Numbers lines, cuts the long ones, and stops where the output is full. */
export function showLines({ lines }: WindowedLines): ShownLines {
  const shown: string[] = []
  const seen = { crlf: false, lossy: false, mark: false }
  let size = 0
  for (const line of lines) {
    const text = showLine(line, seen)
    size += Buffer.byteLength(text) + 1
    if (size > OUTPUT_BYTES && shown.length > 0) break
    shown.push(text)
  }
  const notes = [
    seen.mark ? 'it starts with a byte order mark' : '',
    seen.crlf ? 'its lines end in CRLF' : '',
    seen.lossy ? 'some bytes are not UTF-8 and are shown as \ufffd: do not write those lines back' : '',
  ]
  return { text: shown.join('\n'), to: lines[shown.length - 1]?.number ?? 0, notes: notes.filter(Boolean) }
}

function showLine(line: KeptLine, seen: { crlf: boolean; lossy: boolean; mark: boolean }): string {
  let { bytes, length } = line
  if (line.number === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    seen.mark = true
    bytes = bytes.subarray(3)
    length -= 3
  }
  if (bytes.length === length && bytes.at(-1) === CARRIAGE_RETURN) {
    seen.crlf = true
    bytes = bytes.subarray(0, -1)
    length -= 1
  }
  const cut = cutBytes(bytes, LINE_BYTES)
  const mark = cut.length < length ? `…[+${length - cut.length} bytes]` : ''
  return `${line.number}: ${decode(cut, seen)}${mark}`
}

function decode(bytes: Uint8Array, seen: { lossy: boolean }): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    seen.lossy = true
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  }
}
