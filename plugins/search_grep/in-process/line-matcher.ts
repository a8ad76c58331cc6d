import { type Context, createContext, Script } from 'node:vm'

/** A pattern may take this long for one batch of lines, in milliseconds; a pattern that backtracks without end is stopped. */
const BATCH_MS = 500

/** Characters of one batch. */
const BATCH_LENGTH = 256 * 1024

/** A line that matches: its index, and where the match begins, in UTF-16 units. */
export interface MatchedLine {
  readonly index: number
  readonly start: number
}

/** Finds the matching lines of a list; throws {@link PatternTooSlow}. */
export type LineMatcher = (lines: readonly string[]) => AsyncGenerator<MatchedLine>

/** The pattern took too long on some lines. */
export class PatternTooSlow extends Error {
  override readonly name = 'PatternTooSlow'
}

/** Answers flat pairs of index and start; in a block, so that it can run again in the same context. */
const SEARCH = new Script(`{
  const found = []
  for (let index = 0; index < lines.length; index += 1) {
    const match = pattern.exec(lines[index])
    if (match) found.push(index, match.index)
  }
  found
}`)

/**
 * Compiles a pattern; throws a SyntaxError when it is none. Matching runs under a deadline that V8 can enforce inside
 * of a regular expression, and lets the event loop go on between batches.
 */
export function createLineMatcher(pattern: string): LineMatcher {
  const scope: { readonly pattern: RegExp; lines: readonly string[] } = {
    pattern: compile(pattern),
    lines: [],
  }
  const context = createContext(scope)
  return async function* match(lines) {
    for (let from = 0; from < lines.length; ) {
      const to = batchEnd(lines, from)
      scope.lines = lines.slice(from, to)
      const found = matchBatch(context)
      for (let at = 0; at < found.length; at += 2) {
        yield { index: from + (found[at] ?? 0), start: found[at + 1] ?? 0 }
      }
      from = to
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

/** Leading inline flags are ripgrep's syntax; strict syntax first, since that is the nearer one. */
function compile(pattern: string): RegExp {
  const inline = /^\(\?([ims]+)\)/.exec(pattern)
  const source = inline ? pattern.slice(inline[0].length) : pattern
  const flags = inline?.[1] ?? ''
  try {
    return new RegExp(source, `${flags}u`)
  } catch {
    return new RegExp(source, flags)
  }
}

function batchEnd(lines: readonly string[], from: number): number {
  let length = 0
  let to = from
  while (to < lines.length && (to === from || length + (lines[to]?.length ?? 0) <= BATCH_LENGTH)) {
    length += lines[to]?.length ?? 0
    to += 1
  }
  return to
}

function matchBatch(context: Context): readonly number[] {
  try {
    const found: unknown = SEARCH.runInContext(context, { timeout: BATCH_MS })
    return isNumbers(found) ? found : []
  } catch (thrown) {
    throw isTimeout(thrown) ? new PatternTooSlow('the pattern takes too long') : thrown
  }
}

/** The error comes from the other context, where `Error` is another class. */
function isTimeout(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'code' in thrown &&
    thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  )
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'number')
}
