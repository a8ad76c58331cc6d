import { cutToBytes } from '../../base/text-limit.ts'

/** Text for a model of the bytes that a program printed. */
export interface OutputText {
  readonly text: string
  /** Places that were not UTF-8, and NUL characters, which many servers refuse. */
  readonly replaced: number
}

/** The most text of one answer: below the cap of a result (TOOL-8), with room for the words around it. Bytes. */
export const MOST_TEXT = 60 * 1024
const HEAD_SHARE = 24 * 1024

/** The replacement character as a program may have printed it itself. */
const REPLACEMENT = Buffer.from('\ufffd')

/** Decodes whole output, or a piece of it whose ends may lie in the middle of a character (rows B8, B9). */
export function decodeOutput(
  bytes: Buffer,
  cut: { readonly start?: boolean; readonly end?: boolean } = {},
): OutputText {
  const piece = bytes.subarray(
    cut.start ? skipContinuation(bytes) : 0,
    cut.end ? endOfCharacters(bytes) : undefined,
  )
  const decoded = piece.toString('utf8')
  const invalid = count(decoded, '\ufffd') - countBytes(piece)
  const nuls = count(decoded, '\0')
  return {
    text: nuls > 0 ? decoded.replaceAll('\0', '\u2400') : decoded,
    replaced: Math.max(0, invalid) + nuls,
  }
}

function skipContinuation(bytes: Buffer): number {
  let start = 0
  while (start < 3 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return start
}

/** Where the last whole character ends. */
function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** The beginning and the end of a long text, with how much lies between them; `goneBytes` are gone already. */
export function joinHeadTail(
  head: string,
  tail: string,
  goneBytes: number,
): { readonly text: string; readonly leftOut: number } {
  const shownHead = cutToBytes(head, HEAD_SHARE)
  const shownTail = lastBytes(tail, MOST_TEXT - HEAD_SHARE)
  const leftOut = goneBytes + shownHead.leftOut + shownTail.leftOut
  return { text: `${shownHead.text}\n[… ${leftOut} bytes were left out …]\n${shownTail.text}`, leftOut }
}

/** The longest end of a text that fits, without splitting a character. */
export function lastBytes(text: string, most: number): { readonly text: string; readonly leftOut: number } {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= most) return { text, leftOut: 0 }
  const piece = bytes.subarray(bytes.length - most)
  const kept = piece.subarray(skipContinuation(piece))
  return { text: kept.toString('utf8'), leftOut: bytes.length - kept.length }
}

function count(text: string, wanted: string): number {
  return text.split(wanted).length - 1
}

function countBytes(bytes: Buffer): number {
  let found = 0
  for (let at = bytes.indexOf(REPLACEMENT); at !== -1; at = bytes.indexOf(REPLACEMENT, at + 3)) found++
  return found
}
