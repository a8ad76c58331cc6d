import { createHash } from 'node:crypto'
import { join, relative, sep } from 'node:path'
import type { SearchAnswer, SearchBackendHandler, SearchHit, SearchQuery } from 'amber-agent/sdk'
import { excerpt } from './excerpt.ts'
import { createGlobFilter } from './glob-filter.ts'
import { readIndexFile, writeIndexFile } from './index-file.ts'
import { type IndexLimits, LIMITS } from './limits.ts'
import { questionTerms } from './question.ts'
import { rank } from './rank.ts'
import { createWorkspaceIndex, type IndexedFile, type WorkspaceIndex } from './workspace-index.ts'

/** What the backend needs from outside. */
export interface SemanticOptions {
  /** Where indexes are kept, absolute. */
  readonly cacheFolder: string
  /** Ends running searches when the plugin's version is retired. */
  readonly retired: AbortSignal
  readonly limits?: IndexLimits
}

/** The index of one workspace, as it is opened. */
interface Open {
  readonly root: string
  readonly file: string
  readonly index: Promise<WorkspaceIndex>
  /** Refreshing is done by one search at a time. */
  busy: Promise<unknown>
  /** Changes since the index was last kept. */
  unkept: number
}

/** Places that are answered, however many are asked for: a ranking's tail is noise. */
const MOST_HITS = 30

/** A place with less than this share of the best one's score is left out. */
const FLOOR = 0.25

/** So many changes are read anew at the next start rather than written at once. */
const FEW_CHANGES = 50

const CANCELLED: SearchAnswer = { ok: false, error: 'The search was cancelled.' }

/**
 * The backend of mode `semantic`: BM25 over chunks of lines, with identifiers split, fused with the words of the path
 * and how many of the question's words a place has. Before each answer every file is looked at (SEA-2).
 */
export function createSemantic(options: SemanticOptions): SearchBackendHandler {
  const limits = options.limits ?? LIMITS
  let open: Open | undefined
  const openFor = (root: string): Open => {
    if (open?.root === root) return open
    const name = createHash('sha256').update(root).digest('hex').slice(0, 32)
    const file = join(options.cacheFolder, `${name}.index`)
    const index = readIndexFile(file, root).then((kept) => createWorkspaceIndex(root, kept, limits))
    // One workspace at a time is held: that bounds the memory.
    open = { root, file, index, busy: Promise.resolve(), unkept: 0 }
    return open
  }
  return {
    async search(query, call): Promise<SearchAnswer> {
      const question = questionTerms(query.pattern)
      if (question.size === 0)
        return {
          ok: false,
          error: 'The pattern has no word to look for. Ask in words: where are retries done',
        }
      const signal = AbortSignal.any([call.signal, options.retired])
      const workspace = openFor(query.root)
      const index = await workspace.index
      const refreshing = workspace.busy.then(() => refresh(workspace, index, signal))
      workspace.busy = refreshing.catch(() => undefined)
      const { cancelled, notes } = await refreshing
      return cancelled ? CANCELLED : answer(index, question, { query, notes })
    },
  }
}

async function refresh(workspace: Open, index: WorkspaceIndex, signal: AbortSignal) {
  const refreshed = await index.refresh(signal)
  workspace.unkept += refreshed.changed
  if (!refreshed.cancelled && workspace.unkept > FEW_CHANGES) {
    workspace.unkept = 0
    await writeIndexFile(workspace.file, workspace.root, [...index.files.values()])
  }
  return refreshed
}

/** How often an answer is made anew because a file changed while it was made. */
const MOST_TRIES = 5

function answer(
  index: WorkspaceIndex,
  question: ReadonlySet<number>,
  asked: { readonly query: SearchQuery; readonly notes: readonly string[] },
): SearchAnswer {
  const { query, notes } = asked
  const isAsked = askedFor(query)
  for (let tries = 1; ; tries += 1) {
    const { places, weights } = rank(index.files.values(), question)
    const ranked = places.filter(({ file }) => isAsked(file))
    const good = ranked.filter(({ score }) => score >= (ranked[0]?.score ?? 0) * FLOOR)
    const shown = good.slice(0, Math.min(query.max, MOST_HITS))
    const hits: SearchHit[] = []
    let changed = false
    for (const one of shown) {
      const now = index.look(one.file)
      if (now === undefined || now.changed) changed = true
      else hits.push(excerpt(one, now.text, weights))
    }
    if (changed && tries < MOST_TRIES) continue
    const note = ['best first', ...notes].join('; ')
    return { ok: true, hits, truncated: good.length > shown.length, note }
  }
}

/** Whether a file is in the folder, and of the names, that were asked for. */
function askedFor({ path, root, glob }: SearchQuery): (file: IndexedFile) => boolean {
  const below = relative(root, path).split(sep).join('/')
  const matches = createGlobFilter(glob)
  return (file) =>
    (below === '' || file.path === below || file.path.startsWith(`${below}/`)) && matches(file.path)
}
