/** Finds surrogates that stand alone: no UTF-8 can hold them. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** Text with every lone surrogate replaced by U+FFFD (row P22). */
export function wellFormed(text: string): string {
  return LONE_SURROGATE.test(text) ? Buffer.from(text, 'utf8').toString('utf8') : text
}

/** The longest beginning that fits into `maxBytes` of UTF-8 without splitting a code point, and the bytes left out. */
export function cutToBytes(
  text: string,
  maxBytes: number,
): { readonly text: string; readonly leftOut: number } {
  const whole = wellFormed(text)
  // No UTF-16 code unit takes more than three bytes, so short text needs no encoding to be judged.
  if (whole.length * 3 <= maxBytes) return { text: whole, leftOut: 0 }
  const bytes = Buffer.from(whole, 'utf8')
  if (bytes.length <= maxBytes) return { text: whole, leftOut: 0 }
  let end = Math.max(0, Math.floor(maxBytes))
  while (end > 0 && isContinuation(bytes[end])) end--
  return { text: bytes.subarray(0, end).toString('utf8'), leftOut: bytes.length - end }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
