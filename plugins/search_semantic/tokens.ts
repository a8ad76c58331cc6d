/** Characters of a longer word are no word: hashes, keys, encoded data. */
const LONGEST = 40

const UPPER = 1
const LOWER = 2
const DIGIT = 3

/** What is told of each term: the hash of its stem. */
export type TermSink = (term: number) => void

/**
 * The terms of a text: words, and identifiers both whole and split at `camelCase`, `snake_case` and `HTTPServer`,
 * without case and without the endings of plural and tense. A term is a 32-bit hash of its letters, so that no list of
 * words is kept; two words that meet in one hash are too few to matter (one in 10,000 queries over 500,000 words).
 */
export function eachTerm(text: string, sink: TermSink): void {
  const { length } = text
  for (let at = 0; at < length; ) {
    if (kindAt(text, at) === 0) {
      at += 1
      continue
    }
    let end = at
    while (end < length && (kindAt(text, end) !== 0 || text.charCodeAt(end) === 95)) end += 1
    splitIdentifier(text, at, end, sink)
    at = end
  }
}

/** The terms of a text, each once, in order. */
export function termsOf(text: string): readonly number[] {
  const terms = new Set<number>()
  eachTerm(text, (term) => terms.add(term))
  return [...terms]
}

/** Letters by case, digits; a sign of another script counts as a small letter. */
function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code >= 97 && code <= 122) return LOWER
  if (code >= 65 && code <= 90) return UPPER
  if (code >= 48 && code <= 57) return DIGIT
  if (code <= 127) return 0
  return lower(code, text, at) === code ? LOWER : UPPER
}

function splitIdentifier(text: string, from: number, to: number, sink: TermSink): void {
  let parts = 0
  let start = from
  for (let at = from + 1; at <= to; at += 1) {
    if (at < to && !isBoundary(text, at, to)) continue
    if (addWord(text, start, at, sink)) parts += 1
    start = at
  }
  if (parts > 1) addWord(text, from, to, sink)
}

function isBoundary(text: string, at: number, to: number): boolean {
  const kind = kindAt(text, at)
  const before = kindAt(text, at - 1)
  if (kind === 0 || before === 0) return true
  if (kind !== UPPER) return false
  // `readFile`, and the S of `HTTPServer`.
  return before !== UPPER || (at + 1 < to && kindAt(text, at + 1) === LOWER)
}

/** Hashes one word (FNV-1a), without underscores. */
function addWord(text: string, from: number, to: number, sink: TermSink): boolean {
  if (to - from > LONGEST) return false
  const end = stemEnd(text, from, to)
  if (end - from < 2) return false
  // `query` and `queries` meet in `queri`.
  const isY = end === to && to - from > 3 && lowerAt(text, to - 1) === 121
  let hash = 0x811c9dc5
  for (let at = from; at < (isY ? end - 1 : end); at += 1) {
    const code = text.charCodeAt(at)
    if (code === 95) continue
    hash = Math.imul(hash ^ lower(code, text, at), 0x01000193)
  }
  if (isY) hash = Math.imul(hash ^ 105, 0x01000193)
  sink(hash >>> 0)
  return true
}

/** Where a word ends without `s`, `ed`, `ing` and a last `e`: light, and the same for question and text. */
function stemEnd(text: string, from: number, to: number): number {
  const length = to - from
  if (length <= 3) return to
  let end = to
  if (ends(text, from, end, 'ies')) return end - 2
  if (ends(text, from, end, 's') && !ends(text, from, end, 'ss') && !ends(text, from, end, 'us')) end -= 1
  if (end - from > 5 && ends(text, from, end, 'ing')) end -= 3
  else if (end - from > 4 && ends(text, from, end, 'ed')) end -= 2
  if (end - from > 3 && lowerAt(text, end - 1) === 101) end -= 1
  // `stopped` and `stop`.
  if (
    end < to &&
    end - from > 3 &&
    lowerAt(text, end - 1) === lowerAt(text, end - 2) &&
    !ends(text, from, end, 'll')
  )
    end -= 1
  return end
}

function ends(text: string, from: number, to: number, ending: string): boolean {
  if (to - from <= ending.length) return false
  for (let at = 0; at < ending.length; at += 1) {
    if (lowerAt(text, to - ending.length + at) !== ending.charCodeAt(at)) return false
  }
  return true
}

function lowerAt(text: string, at: number): number {
  return lower(text.charCodeAt(at), text, at)
}

function lower(code: number, text: string, at: number): number {
  if (code >= 65 && code <= 90) return code + 32
  return code > 127 ? text.charAt(at).toLowerCase().charCodeAt(0) : code
}
