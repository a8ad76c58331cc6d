import type { SearchAnswer, SearchBackendHandler } from 'amber-agent/sdk'
import { LIMITS, type SearchLimits } from './limits.ts'
import { runRipgrep } from './run-ripgrep.ts'

/** What the backend needs from outside. */
export interface GrepOptions {
  /** The path of ripgrep; a rejection means that this machine has none. */
  readonly binary: () => Promise<string>
  /** Ends running searches when the plugin's version is retired. */
  readonly retired: AbortSignal
  readonly limits?: SearchLimits
}

/**
 * The backend of mode `grep`. Ripgrep does the work; where it does not start (no binary for this platform, not
 * executable, killed by the system) a search in this process answers the same, more slowly, with a note that says so.
 */
export function createGrep(options: GrepOptions): SearchBackendHandler {
  const limits = options.limits ?? LIMITS
  let broken: string | undefined
  return {
    async search(query, { signal }): Promise<SearchAnswer> {
      const context = { signal: AbortSignal.any([signal, options.retired]), limits }
      if (broken === undefined) {
        const run = await startRipgrep(options.binary, (binary) => runRipgrep(binary, query, context))
        if (run.kind === 'answered') return run.answer
        broken = run.why
      }
      const { searchInProcess } = await import('./in-process/search.ts')
      const answer = await searchInProcess(query, context)
      if (!answer.ok) return answer
      const note = `ripgrep does not start here (${broken}); searched without it, more slowly`
      return { ...answer, note: answer.note ? `${note}; ${answer.note}` : note }
    },
  }
}

type Run = Awaited<ReturnType<typeof runRipgrep>>

async function startRipgrep(
  binary: () => Promise<string>,
  run: (binary: string) => Promise<Run>,
): Promise<Run> {
  let path: string
  try {
    path = await binary()
  } catch (thrown) {
    return { kind: 'will-not-start', why: thrown instanceof Error ? thrown.message : String(thrown) }
  }
  return run(path)
}
