import type { TestContext } from 'node:test'
import { rgPath } from '@vscode/ripgrep'
import { createGrep } from '../../plugins/search_grep/grep.ts'
import type { SearchLimits } from '../../plugins/search_grep/limits.ts'
import type { SearchAnswer, SearchBackendHandler, SearchQuery } from '../../sdk/index.ts'
import { createTempTree, type TreeEntry } from './temp-tree.ts'

/** The two ways of searching that must answer alike. */
export const GREP_WAYS = ['ripgrep', 'in process'] as const

/** The grep backend by one of its ways. */
export function createGrepBackend(
  way: (typeof GREP_WAYS)[number],
  limits?: SearchLimits,
): SearchBackendHandler {
  return createGrep({
    binary: async () => {
      if (way === 'ripgrep') return rgPath
      throw new Error('switched off for the test')
    },
    retired: new AbortController().signal,
    ...(limits ? { limits } : {}),
  })
}

/** Searches a temporary tree. */
export type TreeSearch = (
  pattern: string,
  query?: Partial<Omit<SearchQuery, 'pattern' | 'root'>>,
  signal?: AbortSignal,
) => Promise<SearchAnswer>

/** Makes a tree and a search over it; paths of a query are absolute, as the host gives them. */
export async function createTreeSearch(
  t: TestContext,
  backend: SearchBackendHandler,
  entries: Readonly<Record<string, TreeEntry>>,
): Promise<{ readonly root: string; readonly search: TreeSearch }> {
  const root = await createTempTree(t, entries)
  return {
    root,
    search: (pattern, query = {}, signal = new AbortController().signal) =>
      backend.search({ pattern, path: root, root, glob: undefined, max: 200, ...query }, { signal }),
  }
}

/** An answer as `path:line: text` lines, or its error. */
export function linesOf(answer: SearchAnswer): readonly string[] {
  if (!answer.ok) return [`error: ${answer.error}`]
  return answer.hits.map((hit) => `${hit.path}:${hit.line}: ${hit.text}`)
}
