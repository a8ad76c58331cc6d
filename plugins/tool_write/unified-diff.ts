import { structuredPatch } from 'diff'

/** What a change looks like. */
export interface TextDiff {
  /** A unified diff; undefined when it took too long to find. */
  readonly text: string | undefined
  readonly added: number | undefined
  readonly removed: number | undefined
}

/** Two texts without a line in common would take minutes to compare. */
const TIMEOUT_MS = 250
const CONTEXT_LINES = 3

/** The unified diff of a file's change; `before` is undefined for a new file. */
export function unifiedDiff(path: string, before: string | undefined, after: string): TextDiff {
  const patch = structuredPatch(`a/${path}`, `b/${path}`, before ?? '', after, undefined, undefined, {
    context: CONTEXT_LINES,
    timeout: TIMEOUT_MS,
  })
  if (patch === undefined) return { text: undefined, added: undefined, removed: undefined }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines)
  const head = [`--- ${before === undefined ? '/dev/null' : patch.oldFileName}`, `+++ ${patch.newFileName}`]
  const body = patch.hunks.flatMap((hunk) => [
    `@@ -${span(hunk.oldStart, hunk.oldLines)} +${span(hunk.newStart, hunk.newLines)} @@`,
    ...hunk.lines,
  ])
  return {
    text: [...head, ...body].join('\n'),
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  }
}

/** Lines as a hunk's head counts them: of none, the line before. */
function span(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`
}
