/** Where something stands in a source text; line and column from 1. */
export interface TextPlace {
  readonly line: number
  readonly column: number
  readonly length: number
}

/** Characters of a source that are looked through, places that are tried, and characters from a key to its object. */
const MAX_TEXT = 500_000
const MAX_PLACES = 50
const MAX_GAP = 200

/** A part of a text: from its first character to behind its last. */
interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Where a source text writes a handler down: the key of its section (`tools`), in the object there its name, for a
 * command its leaf. Found by what the text looks like, so it is a good guess and no proof; undefined when no place
 * looks like it.
 */
export function placeOfHandler(source: string, path: readonly string[]): TextPlace | undefined {
  const text = bare(source.slice(0, MAX_TEXT))
  const [section = '', ...names] = path
  for (const start of keysIn(text, section, { start: 0, end: text.length }).slice(0, MAX_PLACES)) {
    const found = names.reduce<Span | undefined>(
      (outer, name) => outer && keyInside(text, name, outer),
      start,
    )
    if (found) return placeAt(text, found)
  }
  return undefined
}

/** The key of a name in the object that stands at another key. */
function keyInside(text: string, name: string, outer: Span): Span | undefined {
  const object = objectAfter(text, outer.end)
  return object && keysIn(text, name, object).find((one) => depthAt(text, object, one.start) === 0)
}

/** What is between the braces of the next object. */
function objectAfter(text: string, from: number): Span | undefined {
  const gap = /^[^,;{}]*\{/.exec(text.slice(from, from + MAX_GAP))?.[0]
  if (gap === undefined) return undefined
  const start = from + gap.length
  let depth = 1
  for (let at = start; at < text.length; at += 1) {
    depth += step(text[at])
    if (depth === 0) return { start, end: at }
  }
  return { start, end: text.length }
}

function depthAt(text: string, { start }: Span, end: number): number {
  let depth = 0
  for (let at = start; at < end; at += 1) depth += step(text[at])
  return depth
}

function step(character: string | undefined): number {
  if (character === '{' || character === '(') return 1
  return character === '}' || character === ')' ? -1 : 0
}

/** Where a part of the text writes a key: `name:`, `'name':`, `name(`, or `name,` and `name }` for a variable of that name. */
function keysIn(text: string, name: string, { start, end }: Span): readonly Span[] {
  const written = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const key = new RegExp(
    `(?<![\\w$.'"\`-])(?:(['"])${written}\\1|\\[(['"\`])${written}\\2\\]|${written}(?![\\w$'"\`-]))(?=\\s*(?:[:(,}=]|$))`,
    'gm',
  )
  return [...text.slice(start, end).matchAll(key)]
    .slice(0, 1_000)
    .map((match) => ({ start: start + match.index, end: start + match.index + match[0].length }))
}

const BLANKED =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|^import\b[^'"\n;]*(?:\n[^'"\n;]*)*?['"][^'"\n]*['"]|(?:'(?:[^\\\n']|\\.)*'|"(?:[^\\\n"]|\\.)*"|`(?:[^\\`]|\\.)*`)(\s*[:(\]])?/gm

/** The same text, with blanks for comments, imports, and texts that are no keys. */
function bare(text: string): string {
  return text.replace(BLANKED, (part, afterKey) => (afterKey ? part : part.replace(/[^\n]/g, ' ')))
}

function placeAt(text: string, { start, end }: Span): TextPlace {
  const before = text.slice(0, start)
  const line = before.split('\n').length
  return { line, column: start - before.lastIndexOf('\n'), length: end - start }
}
