import { relative, sep } from 'node:path'
import type { SearchAnswer, SearchQuery } from 'amber-agent/sdk'
import { createGlobFilter } from '../glob-filter.ts'
import { createHitCollector, type HitCollector } from '../hit-collector.ts'
import type { SearchLimits } from '../limits.ts'
import { windowOf } from '../line-window.ts'
import { CANCELLED, invalidPattern, notesOf, type Stop } from '../outcome.ts'
import { createLineMatcher, type LineMatcher, PatternTooSlow } from './line-matcher.ts'
import { readLines } from './read-lines.ts'
import { walk } from './walk.ts'

/** What one search in this process knows and counts. */
interface Progress {
  readonly match: LineMatcher
  readonly collector: HitCollector
  readonly deadline: number
  large: number
  unreadable: number
  askedIsBinary: boolean
}

/** Searches with Node alone: the same files and hits as ripgrep's, with JavaScript's regular expressions. */
export async function searchInProcess(
  query: SearchQuery,
  context: { readonly signal: AbortSignal; readonly limits: SearchLimits },
): Promise<SearchAnswer> {
  const match = compile(query.pattern)
  if ('ok' in match) return match
  const progress: Progress = {
    match: match.matcher,
    collector: createHitCollector(context.limits.hits),
    deadline: performance.now() + context.limits.timeMs,
    large: 0,
    unreadable: 0,
    askedIsBinary: false,
  }
  try {
    const stopped = await searchFiles(query, progress, context)
    if (stopped === 'cancelled') return CANCELLED
    const notes = notesOf(stopped, { ...progress, files: progress.large })
    return progress.collector.answer(query.max, {
      complete: stopped === undefined,
      notes,
    })
  } catch (thrown) {
    if (!(thrown instanceof PatternTooSlow)) throw thrown
    return {
      ok: false,
      error: `The pattern ${JSON.stringify(query.pattern)} takes too long to match. Write it without repetitions inside repetitions.`,
    }
  }
}

function compile(pattern: string): { readonly matcher: LineMatcher } | SearchAnswer {
  try {
    return { matcher: createLineMatcher(pattern) }
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    return invalidPattern(pattern, reason)
  }
}

async function searchFiles(
  query: SearchQuery,
  progress: Progress,
  context: { readonly signal: AbortSignal; readonly limits: SearchLimits },
): Promise<Stop | undefined> {
  const filter = createGlobFilter(query.glob)
  for await (const file of walk(query.path, query.root, progress)) {
    if (context.signal.aborted) return 'cancelled'
    if (performance.now() > progress.deadline) return 'time'
    const path = relative(query.root, file).split(sep).join('/')
    if (file !== query.path && !filter(path)) continue
    const stopped = await searchFile({ file, path, asked: file === query.path }, progress, context)
    if (stopped) return stopped
  }
  return context.signal.aborted ? 'cancelled' : undefined
}

async function searchFile(
  place: { readonly file: string; readonly path: string; readonly asked: boolean },
  progress: Progress,
  context: { readonly signal: AbortSignal; readonly limits: SearchLimits },
): Promise<'full' | undefined> {
  const read = await readLines(place.file, context.limits.fileBytes)
  if (read.kind === 'large') progress.large += 1
  if (read.kind === 'unreadable') progress.unreadable += 1
  if (read.kind === 'binary' && place.asked) progress.askedIsBinary = true
  for await (const { index, start } of progress.match(read.kind === 'lines' ? read.lines : [])) {
    const line = (read.kind === 'lines' ? read.lines[index] : undefined) ?? ''
    const text = windowOf(Buffer.from(line), Buffer.byteLength(line.slice(0, start)))
    progress.collector.add({ path: place.path, line: index + 1, text })
    if (progress.collector.full) return 'full'
  }
  return undefined
}
