/** Bytes of a line that are shown whole; of a longer one a window around the match is. */
const WHOLE_BYTES = 400
const BEFORE_MATCH = 120

/**
 * A line as a hit shows it: whole when it is short, else a window that includes the start of the match, with `…` where
 * it was cut, never inside a code point. `start` is the match's first byte. Invalid UTF-8 is replaced.
 */
export function windowOf(line: Uint8Array, start: number): string {
  const end = endOfText(line)
  if (end <= WHOLE_BYTES) return decode(line, 0, end)
  const from = codePointStart(line, Math.max(0, Math.min(start - BEFORE_MATCH, end - WHOLE_BYTES)))
  const to = from + WHOLE_BYTES >= end ? end : codePointStart(line, from + WHOLE_BYTES)
  return `${from > 0 ? '…' : ''}${decode(line, from, to)}${to < end ? '…' : ''}`
}

/** Where the line ends without its line feed and carriage return. */
function endOfText(line: Uint8Array): number {
  let end = line.length
  if (line[end - 1] === 10) end -= 1
  if (line[end - 1] === 13) end -= 1
  return end
}

function codePointStart(line: Uint8Array, at: number): number {
  let start = at
  while (start > 0 && at - start < 3 && ((line[start] ?? 0) & 0xc0) === 0x80) start -= 1
  return start
}

function decode(line: Uint8Array, from: number, to: number): string {
  return Buffer.from(line.buffer, line.byteOffset + from, to - from).toString('utf8')
}
