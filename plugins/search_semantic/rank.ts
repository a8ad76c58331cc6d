import type { Chunks } from './chunks.ts'

/** A file that can be found. */
export interface RankedFile {
  readonly path: string
  readonly chunks: Chunks
  /** The terms of its path, each once. */
  readonly pathTerms: Uint32Array
}

/** A place that is about the question; higher is better. */
export interface RankedChunk<File extends RankedFile> {
  readonly file: File
  readonly chunk: number
  readonly score: number
}

/** How the signals are fused; the figures are measured (test/bench/semantic.ts). */
export interface RankOptions {
  /** BM25's saturation of counts, and its correction for length. */
  readonly k1: number
  readonly b: number
  /** What a term of the question in the path adds, times its idf. */
  readonly pathWeight: number
  /** How much it counts that a place has many of the question's terms; 0: only how often it has some. */
  readonly coverage: number
  /** What is left of the score of a test, which says the same as what it tests, and more often. */
  readonly testFactor: number
}

/** The figures in use. */
export const RANK: RankOptions = { k1: 1.2, b: 0.5, pathWeight: 1, coverage: 1, testFactor: 0.5 }

/** What a question finds. */
export interface Ranking<File extends RankedFile> {
  /** Best first. */
  readonly places: readonly RankedChunk<File>[]
  /** How much each term of the question tells: the rarer, the more. */
  readonly weights: ReadonlyMap<number, number>
}

/** Ranks the chunks of the files by a question's terms. */
export function rank<File extends RankedFile>(
  files: Iterable<File>,
  question: ReadonlySet<number>,
  options: RankOptions = RANK,
): Ranking<File> {
  const all = [...files]
  const { idf, averageLength } = statisticsOf(all, question)
  const { k1, b } = options
  const most = [...idf.values()].reduce((sum, one) => sum + one, 0)
  const wanted = filterOf(question)
  const ranked: RankedChunk<File>[] = []
  for (const file of all) {
    const { ends, lengths, terms, counts } = file.chunks
    let byPath = 0
    for (const term of file.pathTerms) byPath += (idf.get(term) ?? 0) * options.pathWeight
    const factor = isTest(file.path) ? options.testFactor : 1
    let at = 0
    for (let chunk = 0; chunk < ends.length; chunk += 1) {
      const norm = k1 * (1 - b + (b * (lengths[chunk] ?? 0)) / averageLength)
      const end = ends[chunk] ?? 0
      let points = 0
      let covered = 0
      for (; at < end; at += 1) {
        const term = terms[at] ?? 0
        if (wanted[term & FILTER_MASK] === 0) continue
        const weight = idf.get(term)
        if (weight === undefined) continue
        const count = counts[at] ?? 0
        points += (weight * count * (k1 + 1)) / (count + norm)
        covered += weight
      }
      if (points === 0) continue
      ranked.push({ file, chunk, score: factor * (points * (covered / most) ** options.coverage + byPath) })
    }
  }
  return { places: ranked.sort((left, right) => right.score - left.score), weights: idf }
}

const FILTER_MASK = 0xfff

/** Lets almost every term that was not asked for pass by with one look. */
function filterOf(terms: Iterable<number>): Uint8Array {
  const filter = new Uint8Array(FILTER_MASK + 1)
  for (const term of terms) filter[term & FILTER_MASK] = 1
  return filter
}

/** How rare each term is, and how long a chunk is on average. */
function statisticsOf(
  files: readonly RankedFile[],
  question: ReadonlySet<number>,
): { readonly idf: ReadonlyMap<number, number>; readonly averageLength: number } {
  const wanted = filterOf(question)
  const seen = new Map([...question].map((term) => [term, 0]))
  let chunks = 0
  let length = 0
  for (const { chunks: one } of files) {
    chunks += one.ends.length
    for (const terms of one.lengths) length += terms
    for (const term of one.terms) {
      if (wanted[term & FILTER_MASK] === 0) continue
      const count = seen.get(term)
      if (count !== undefined) seen.set(term, count + 1)
    }
  }
  const idf = new Map(
    [...seen].map(([term, count]) => [term, Math.log(1 + (chunks - count + 0.5) / (count + 0.5))]),
  )
  return { idf, averageLength: Math.max(1, length / Math.max(1, chunks)) }
}

function isTest(path: string): boolean {
  return /(^|\/)(tests?|specs?|__tests__)\/|[._-](test|spec)\.[a-z]+$|(^|\/)test_/.test(path)
}
