/** A text file's content without its byte order mark. */
export interface TextContent {
  readonly text: string
  readonly hasMark: boolean
}

const MARK = Uint8Array.of(0xef, 0xbb, 0xbf)
const BINARY_LOOK = 8192

/** Reads bytes as UTF-8; a sentence that says why when they are none: what is not UTF-8 would be destroyed (row E4). */
export function decodeText(bytes: Uint8Array): TextContent | { readonly problem: string } {
  if (bytes.subarray(0, BINARY_LOOK).includes(0))
    return { problem: 'it is binary, and only text can be edited' }
  const hasMark = MARK.every((byte, at) => bytes[at] === byte)
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return { text: decoder.decode(hasMark ? bytes.subarray(MARK.length) : bytes), hasMark }
  } catch {
    return {
      problem: `it is not UTF-8 text (${firstBadByte(bytes)}), and editing it would destroy characters`,
    }
  }
}

/** The bytes of a text file. */
export function encodeText({ text, hasMark }: TextContent): Uint8Array {
  const body = Buffer.from(text, 'utf8')
  return hasMark ? Buffer.concat([MARK, body]) : body
}

/** Half a character that no UTF-8 can hold: it would reach the disk as U+FFFD. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text)
}

/** The first byte that no UTF-8 text has there: what replaced text no longer agrees with. */
function firstBadByte(bytes: Uint8Array): string {
  const again = Buffer.from(Buffer.from(bytes).toString('utf8'), 'utf8')
  let at = 0
  while (at < bytes.length && bytes[at] === again[at]) at++
  return `byte 0x${(bytes[at] ?? 0).toString(16).padStart(2, '0')} at offset ${at}`
}
