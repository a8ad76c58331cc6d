/** What one look at a JSON text tells without parsing it. */
export interface JsonScan {
  /** How deep brackets nest. */
  readonly depth: number
  /** Colons outside of strings: as many as there are keys, when the text is JSON. */
  readonly colons: number
  /** Where a control character stands raw in a string, which JSON forbids: most often a string that is not closed. */
  readonly rawControl: number | undefined
}

/** The largest text that is read, in UTF-16 units. */
export const largestText = 1_000_000

/** The deepest nesting that is read. */
export const deepestNesting = 100

/** Scans a JSON text, comments allowed, in one pass; takes any text. */
export function scanJson(text: string): JsonScan {
  let depth = 0
  let deepest = 0
  let colons = 0
  let rawControl: number | undefined
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) {
      const end = endOfString(text, at)
      rawControl ??= controlIn(text, at, end)
      at = end
    } else if (char === 0x2f) at = endOfComment(text, at)
    else if (char === 0x3a) colons++
    else if (char === 0x7b || char === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (char === 0x7d || char === 0x5d) depth--
  }
  return { depth: deepest, colons, rawControl }
}

/** The position of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x5c) at++
    else if (char === 0x22) return at
  }
  return text.length
}

function controlIn(text: string, start: number, end: number): number | undefined {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) < 0x20) return at
  return undefined
}

/** The position of a comment's last character, or `start` when none begins there. */
function endOfComment(text: string, start: number): number {
  const next = text[start + 1]
  if (next !== '/' && next !== '*') return start
  const end = text.indexOf(next === '/' ? '\n' : '*/', start + 2)
  if (end === -1) return text.length
  return next === '/' ? end : end + 1
}

/** How many keys all objects of a value have together; NaN, which equals nothing, when one of them is `__proto__`. */
export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + countKeys(one), 0)
  let count = 0
  for (const [key, one] of Object.entries(value)) {
    count += key === '__proto__' ? Number.NaN : 1 + countKeys(one)
  }
  return count
}
