import type { SearchHit } from 'amber-agent/sdk'
import type { RankedChunk } from './rank.ts'
import { termsOf } from './tokens.ts'
import type { IndexedFile } from './workspace-index.ts'

/** UTF-16 units of a line that are shown. */
const SHOWN = 300

/** The line of a chunk that says most of the question; the first that says anything where none has a word of it. */
export function excerpt(
  { file, chunk }: RankedChunk<IndexedFile>,
  text: string,
  weights: ReadonlyMap<number, number>,
): SearchHit {
  const first = file.chunks.lines[chunk] ?? 1
  const last = file.chunks.lines[chunk + 1] ?? Number.POSITIVE_INFINITY
  const lines = text.split('\n').slice(first - 1, last - 1)
  let best = Math.max(
    0,
    lines.findIndex((line) => /[^\s{}()[\];,*/]/.test(line)),
  )
  let most = 0
  for (const [at, line] of lines.entries()) {
    const told = termsOf(line.slice(0, 2000)).reduce((sum, term) => sum + (weights.get(term) ?? 0), 0)
    if (told <= most) continue
    most = told
    best = at
  }
  const line = (lines[best] ?? '').trim()
  const shown = line.length <= SHOWN ? line : `${line.slice(0, SHOWN).replace(/[\ud800-\udbff]$/, '')}…`
  return { path: file.path, line: first + best, text: shown }
}
