import type { SearchAnswer, SearchHit } from 'amber-agent/sdk'

/** Bytes that all hits together may take, so that status line and end mark fit below the 64 KiB of a result (TOOL-8). */
const OUTPUT_BYTES = 60_000

/** UTF-16 units of one hit's text; a backend cuts at less, around its match. */
const TEXT_LENGTH = 1000

type Found = Extract<SearchAnswer, { readonly ok: true }>

/** What was asked, for the status line. */
interface Asked {
  readonly pattern: string
  readonly path?: string
  readonly glob?: string
  readonly mode: string
}

/** Hits as a model reads them: a status line, `path:line: text` with a blank line between files, and an end mark. */
export function showHits(found: Found, asked: Asked): { readonly text: string; readonly shown: number } {
  const note = found.note ? ` (${found.note})` : ''
  if (found.hits.length === 0) {
    const end = found.truncated ? '[the search was not complete]' : '[end of matches]'
    return { text: `No matches for ${whatOf(asked)}${note}.\n${end}`, shown: 0 }
  }
  const lines = linesOf(found.hits)
  const shown = lines.length
  const status = `${countOf(found, shown)} for ${whatOf(asked)}${note}:`
  return { text: [status, ...grouped(found.hits, lines), endOf(found, shown)].join('\n'), shown }
}

/** As many lines as fit. */
function linesOf(hits: readonly SearchHit[]): readonly string[] {
  const lines: string[] = []
  let size = 0
  for (const hit of hits) {
    const line = `${hit.path}:${hit.line}: ${oneLine(hit.text)}`
    size += Buffer.byteLength(line) + 2
    if (size > OUTPUT_BYTES && lines.length > 0) break
    lines.push(line)
  }
  return lines
}

function grouped(hits: readonly SearchHit[], lines: readonly string[]): readonly string[] {
  return lines.map((line, at) => (at > 0 && hits[at]?.path !== hits[at - 1]?.path ? `\n${line}` : line))
}

function oneLine(text: string): string {
  const line = text.replace(/[\r\n]+/g, ' ')
  if (line.length <= TEXT_LENGTH) return line
  return `${line.slice(0, TEXT_LENGTH).replace(/[\ud800-\udbff]$/, '')}…`
}

function countOf(found: Found, shown: number): string {
  const files = new Set(found.hits.slice(0, shown).map((hit) => hit.path)).size
  const where = `in ${files} ${files === 1 ? 'file' : 'files'}`
  if (found.total === undefined && found.truncated) return `The first ${shown} matches, ${where},`
  const total = found.total ?? found.hits.length
  if (total > shown) return `${shown} of ${total} matches, ${where},`
  return `${total} ${total === 1 ? 'match' : 'matches'} ${where}`
}

function endOf(found: Found, shown: number): string {
  const complete = !found.truncated && shown === found.hits.length
  return complete ? '[end of matches]' : '[there are more matches: narrow the pattern, path or glob]'
}

function whatOf({ pattern, path, glob, mode }: Asked): string {
  const files = glob ? `, files ${glob}` : ''
  return `${JSON.stringify(pattern)} in ${path ?? 'the workspace'}${files}, mode ${mode}`
}
