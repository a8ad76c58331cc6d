/** A stretch of a text: line and column from 1, columns in UTF-16 units, as editors count them. */
export interface TextPlace {
  readonly line: number
  readonly column: number
  readonly length: number
}

/** Answers the place of an offset; a byte order mark takes no column. */
export function createTextPlaces(text: string): (offset: number, length: number) => TextPlace {
  const starts = [text.startsWith('\uFEFF') ? 1 : 0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset, length) => {
    const line = lastAtOrBefore(starts, offset)
    return {
      line: line + 1,
      column: Math.max(1, offset - (starts[line] ?? 0) + 1),
      length: Math.max(1, length),
    }
  }
}

function lastAtOrBefore(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
