import type { SearchAnswer, SearchHit } from 'amber-agent/sdk'

/** Gathers hits in whatever order they come, and answers them in one order: by path, then by line. */
export interface HitCollector {
  /** A hit of a file that is still being searched. */
  add(hit: SearchHit): void
  /** The file is through; a binary one takes its hits with it. */
  endFile(path: string, options: { readonly binary: boolean }): void
  /** Whether as many were gathered as may be: time to stop. */
  readonly full: boolean
  /** The answer; `complete` when the search was not stopped early. */
  answer(
    max: number,
    outcome: { readonly complete: boolean; readonly notes: readonly string[] },
  ): SearchAnswer
}

/** Makes an empty collector that is full at `limit` hits. */
export function createHitCollector(limit: number): HitCollector {
  const byFile = new Map<string, SearchHit[]>()
  let count = 0
  return {
    add(hit) {
      const hits = byFile.get(hit.path)
      if (hits) hits.push(hit)
      else byFile.set(hit.path, [hit])
      count += 1
    },
    endFile(path, { binary }) {
      if (!binary) return
      count -= byFile.get(path)?.length ?? 0
      byFile.delete(path)
    },
    get full() {
      return count >= limit
    },
    answer(max, { complete, notes }) {
      const paths = [...byFile.keys()].sort()
      const hits = paths.flatMap((path) => byFile.get(path) ?? [])
      return {
        ok: true,
        hits: hits.slice(0, max),
        truncated: !complete || hits.length > max,
        ...(complete ? { total: hits.length } : {}),
        ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
      }
    },
  }
}
