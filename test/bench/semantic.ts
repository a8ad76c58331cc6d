import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chunksOf } from '../../plugins/search_semantic/chunks.ts'
import { questionTerms } from '../../plugins/search_semantic/question.ts'
import { RANK, type RankOptions, rank } from '../../plugins/search_semantic/rank.ts'
import { createSemantic } from '../../plugins/search_semantic/semantic.ts'
import { termsOf } from '../../plugins/search_semantic/tokens.ts'
import { ms, report } from './measure.ts'
import { meanReciprocalRank, QUESTIONS } from './semantic-questions.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** BM25 with its usual figures and nothing else. */
const PLAIN: RankOptions = { k1: 1.2, b: 0.75, pathWeight: 0, coverage: 0, testFactor: 1 }

function repositoryFiles() {
  const names = execFileSync('git', ['ls-files', '*.ts', '*.md', '*.json', '*.mjs'], { cwd: root })
  return names
    .toString()
    .trim()
    .split('\n')
    .filter((path) => !path.includes('semantic') && !path.includes('package-lock'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** BM25 over whole words: what a plain library does. */
function wholeWords(files: readonly { readonly path: string; readonly text: string }[]) {
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  const indexed = files.map(({ path, text }) => ({ path, words: wordsOf(text) }))
  const counted = indexed.map(({ path, words }) => {
    const counts = new Map<string, number>()
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    return { path, counts, length: words.length }
  })
  const average = counted.reduce((sum, { length }) => sum + length, 0) / counted.length
  return (question: string) => {
    const asked = [...new Set(wordsOf(question))]
    const idf = new Map(
      asked.map((word) => {
        const count = counted.filter(({ counts }) => counts.has(word)).length
        return [word, Math.log(1 + (counted.length - count + 0.5) / (count + 0.5))]
      }),
    )
    const scored = counted.map(({ path, counts, length }) => {
      const points = asked.map((word) => {
        const count = counts.get(word) ?? 0
        return ((idf.get(word) ?? 0) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average))
      })
      return { path, score: points.reduce((sum, one) => sum + one, 0) }
    })
    return scored.sort((a, b) => b.score - a.score).map(({ path }) => path)
  }
}

/** How well questions about this repository are answered. */
function quality(): void {
  const texts = repositoryFiles()
  const files = texts.map(({ path, text }) => ({
    path,
    chunks: chunksOf(text),
    pathTerms: Uint32Array.from(termsOf(path)),
  }))
  const by = (options: RankOptions) => (question: string) =>
    rank(files, questionTerms(question), options).places.map(({ file }) => file.path)
  const baseline = meanReciprocalRank(QUESTIONS, wholeWords(texts))
  const fused = meanReciprocalRank(QUESTIONS, by(RANK))
  report(`whole words, BM25 (MRR, ${QUESTIONS.length} questions)`, baseline.toFixed(3))
  report('identifiers split, chunks, BM25', meanReciprocalRank(QUESTIONS, by(PLAIN)).toFixed(3))
  report('with path, coverage and tests later', fused.toFixed(3), {
    text: '>= 0.40 and above the baseline',
    met: fused >= 0.4 && fused > baseline,
  })
}

/** How fast. */
async function timings(): Promise<void> {
  const cacheFolder = mkdtempSync(join(tmpdir(), 'amber-semantic-'))
  try {
    const backend = createSemantic({ cacheFolder, retired: new AbortController().signal })
    const ask = async () => {
      const started = performance.now()
      const query = { pattern: 'where are retries done', path: root, root, glob: undefined, max: 10 }
      await backend.search(query, { signal: new AbortController().signal })
      return performance.now() - started
    }
    report('first question: the index is made', ms(await ask()))
    report('next question: every file is looked at', ms(await ask()))
  } finally {
    rmSync(cacheFolder, { recursive: true, force: true })
  }
}

quality()
await timings()
