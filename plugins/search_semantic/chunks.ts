import { eachTerm } from './tokens.ts'

/** Lines of one chunk: about a function, so that what is found is a place and no file. */
const CHUNK_LINES = 30

/** A file as the index keeps it: for each chunk its first line and its terms with their counts. */
export interface Chunks {
  /** First line of each chunk, from 1. */
  readonly lines: Uint32Array
  /** Where the terms of each chunk end in `terms`. */
  readonly ends: Uint32Array
  /** Terms in all of each chunk, repetitions counted. */
  readonly lengths: Uint32Array
  readonly terms: Uint32Array
  /** How often the term at the same place stands in the chunk, 255 at most. */
  readonly counts: Uint8Array
}

/** Cuts a text in chunks of lines and counts their terms. */
export function chunksOf(text: string): Chunks {
  const lines: number[] = []
  const ends: number[] = []
  const lengths: number[] = []
  const terms: number[] = []
  const counts: number[] = []
  for (const chunk of windows(text)) {
    const found = new Map<number, number>()
    let length = 0
    eachTerm(text.slice(chunk.from, chunk.to), (term) => {
      found.set(term, (found.get(term) ?? 0) + 1)
      length += 1
    })
    if (length === 0) continue
    for (const [term, count] of found) {
      terms.push(term)
      counts.push(Math.min(count, 255))
    }
    lines.push(chunk.line)
    ends.push(terms.length)
    lengths.push(length)
  }
  return {
    lines: Uint32Array.from(lines),
    ends: Uint32Array.from(ends),
    lengths: Uint32Array.from(lengths),
    terms: Uint32Array.from(terms),
    counts: Uint8Array.from(counts),
  }
}

/** Windows of lines; a cut is put off to a line that begins at the margin, where something new begins. */
function* windows(
  text: string,
): Generator<{ readonly from: number; readonly to: number; readonly line: number }> {
  let from = 0
  let line = 1
  let at = 0
  for (let here = 1; at < text.length; here += 1) {
    const feed = text.indexOf('\n', at)
    const next = feed === -1 ? text.length : feed + 1
    const long = here + 1 - line
    if (long >= CHUNK_LINES && (long >= CHUNK_LINES * 1.5 || beginsAnew(text, next))) {
      yield { from, to: next, line }
      from = next
      line = here + 1
    }
    at = next
  }
  if (from < text.length) yield { from, to: text.length, line }
}

/** Whether a line that begins here stands at the margin, after an empty one. */
function beginsAnew(text: string, at: number): boolean {
  return text.charCodeAt(at - 2) === 10 && text.charCodeAt(at) > 32
}
