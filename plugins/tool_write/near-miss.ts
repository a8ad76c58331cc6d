/** Lines that are looked at for a place that was nearly meant; a hint must not cost seconds. */
const MOST_LINES = 50_000
const SHOWN_LINES = 12
const SHOWN_CHARACTERS = 300

/** The differences that people and models do not see, and what to call them, the least first. */
const FOLDS: readonly { readonly name: string; fold(line: string): string }[] = [
  { name: 'blanks at the end of lines', fold: (line) => line.trimEnd() },
  { name: 'blanks or indentation', fold: foldBlanks },
  { name: 'how accents are composed (NFC and NFD)', fold: (line) => foldBlanks(line.normalize('NFC')) },
  {
    name: 'full-width or other compatibility forms of characters',
    fold: (line) => foldBlanks(line.normalize('NFKC')),
  },
  { name: 'quotation marks or dashes', fold: foldMarks },
  { name: 'upper and lower case', fold: (line) => foldMarks(line).toLowerCase() },
]

/** Says that a text is not there, and shows the place that comes nearest, as it really is (row E10). Both with LF alone. */
export function describeNearMiss(file: string, wanted: string): string {
  const lines = file.split('\n').slice(0, MOST_LINES)
  const block = wanted.replace(/\n$/, '').split('\n')
  for (const { name, fold } of FOLDS) {
    const at = findBlock(lines.map(fold), block.map(fold))
    if (at !== undefined) {
      return `old does not occur, but line ${at + 1} differs only in ${name}. It really reads:\n${show(lines, at, block.length)}\nCopy it exactly.`
    }
  }
  const near = nearestLine(lines, block)
  if (near === undefined)
    return 'old does not occur, nor anything like it. Read the file, then copy the text exactly.'
  return `old does not occur. The nearest place is line ${near + 1}:\n${show(lines, near, block.length)}\nRead the file there, then copy the text exactly.`
}

/** The first place at which the lines hold the block; its first line may begin and its last may end in mid-line. */
function findBlock(lines: readonly string[], block: readonly string[]): number | undefined {
  const [first = ''] = block
  const last = block.at(-1) ?? ''
  if (block.every((line) => line === '')) return undefined
  for (let at = 0; at + block.length <= lines.length; at++) {
    if (block.length === 1) {
      if (lines[at]?.includes(first)) return at
      continue
    }
    if (!lines[at]?.endsWith(first) || !lines[at + block.length - 1]?.startsWith(last)) continue
    if (block.slice(1, -1).every((line, index) => lines[at + index + 1] === line)) return at
  }
  return undefined
}

/** The line that shares most pairs of characters with the block's most telling line, moved to where the block would begin. */
function nearestLine(lines: readonly string[], block: readonly string[]): number | undefined {
  const telling = block.reduce(
    (best, line, at) => (line.trim().length > (block[best] ?? '').trim().length ? at : best),
    0,
  )
  const wanted = pairsOf(block[telling] ?? '')
  if (wanted.size === 0) return undefined
  let best: { readonly at: number; readonly score: number } | undefined
  for (const [at, line] of lines.entries()) {
    const score = likeness(wanted, pairsOf(line.slice(0, 1000)))
    if (score >= 0.5 && score > (best?.score ?? 0)) best = { at, score }
  }
  return best && Math.max(0, best.at - telling)
}

function pairsOf(line: string): ReadonlySet<string> {
  const text = foldMarks(line).toLowerCase()
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2))
  return pairs
}

/** 0 to 1: twice what is shared, over what there is. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (b.size === 0) return 0
  let shared = 0
  for (const pair of a) if (b.has(pair)) shared++
  return (2 * shared) / (a.size + b.size)
}

function foldBlanks(line: string): string {
  return line.replace(/\s+/g, ' ').trim()
}

function foldMarks(line: string): string {
  return foldBlanks(line.normalize('NFKC'))
    .replace(/[‘’‚‛′`´]/g, "'")
    .replace(/[“”„‟″«»]/g, '"')
    .replace(/[‐‑‒–—―−]/g, '-')
}

function show(lines: readonly string[], at: number, count: number): string {
  const shown = lines.slice(at, at + Math.min(count, SHOWN_LINES))
  const more = count > SHOWN_LINES ? '\n…' : ''
  return shown.map((line, index) => `${at + index + 1}: ${cut(line)}`).join('\n') + more
}

function cut(line: string): string {
  const characters = [...line.slice(0, SHOWN_CHARACTERS * 2)]
  return characters.length > SHOWN_CHARACTERS ? `${characters.slice(0, SHOWN_CHARACTERS).join('')}…` : line
}
