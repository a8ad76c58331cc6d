import type { SearchService, ToolCall, ToolResult } from 'amber-agent/sdk'
import type { SearchArguments } from './plugin.types.ts'
import { showHits } from './show-hits.ts'

const DEFAULT_MODE = 'grep'
const DEFAULT_MAX = 200

/** Runs a call of `search`. No match is an answer, not an error. */
export async function searchWorkspace(
  search: SearchService,
  args: SearchArguments,
  call: Pick<ToolCall, 'signal'>,
): Promise<ToolResult> {
  const { pattern, path, glob, mode = DEFAULT_MODE, max = DEFAULT_MAX } = args
  const request = { pattern, mode, max, ...(path ? { path } : {}), ...(glob ? { glob } : {}) }
  const answer = await search.search(request, { signal: call.signal })
  if (!answer.ok) return { ok: false, error: answer.error }
  const { text, shown } = showHits(answer, request)
  return {
    ok: true,
    output: text,
    meta: { mode, shown, total: answer.total ?? null, truncated: answer.truncated },
  }
}
