/** A text in which every CRLF is an LF, and the way back. */
export interface LineEndView {
  /** With LF alone. */
  readonly text: string
  /** The offset in the original text of an offset in {@link text}. */
  original(offset: number): number
}

/** Views a text with LF alone; a CR that stands by itself stays an ordinary character. */
export function viewWithLf(original: string): LineEndView {
  if (!original.includes('\r\n')) return { text: original, original: (offset) => offset }
  const removed: number[] = []
  let text = ''
  let from = 0
  for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', from)) {
    text += original.slice(from, at)
    removed.push(text.length)
    from = at + 1
  }
  text += original.slice(from)
  return { text, original: (offset) => offset + countBelow(removed, offset) }
}

/** How many of the sorted numbers are below a limit. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The line end that new text takes: that of the place which it replaces, else that of most of the file (row E1). */
export function lineEndFor(file: string, replaced: string): '\n' | '\r\n' {
  if (replaced.includes('\n')) return replaced.includes('\r\n') ? '\r\n' : '\n'
  const crlf = file.split('\r\n').length - 1
  return crlf > 0 && crlf * 2 > file.split('\n').length - 1 ? '\r\n' : '\n'
}

/** A text with every line end as said. */
export function withLineEnd(text: string, end: '\n' | '\r\n'): string {
  const plain = text.replaceAll('\r\n', '\n')
  return end === '\n' ? plain : plain.replaceAll('\n', '\r\n')
}
