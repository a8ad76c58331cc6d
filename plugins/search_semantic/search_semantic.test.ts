import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTestHost } from '../../host/testing/index.ts'
import type { SearchAnswer } from '../../sdk/index.ts'
import { meanReciprocalRank, QUESTIONS } from '../../test/bench/semantic-questions.ts'
import { createTreeSearch, linesOf } from '../../test/support/search.ts'
import type { TreeEntry } from '../../test/support/temp-tree.ts'
import { chunksOf } from './chunks.ts'
import { type IndexLimits, LIMITS } from './limits.ts'
import { questionTerms } from './question.ts'
import { rank } from './rank.ts'
import { createSemantic } from './semantic.ts'
import { termsOf } from './tokens.ts'

const CODE: Readonly<Record<string, string>> = {
  'src/retry.ts': '/** Sends a request again after a pause. */\nexport function retryWithBackoff() {}\n',
  'src/parse_config.py':
    'def parse_config_file(path):\n    """Reads the settings."""\n    return load(path)\n',
  'src/HTTPServer.ts': 'export class HTTPServer {\n  listen(port: number) {}\n}\n',
  'README.md': '# A thing\n\nIt does things.\n',
}

async function stand(
  t: TestContext,
  entries: Readonly<Record<string, TreeEntry>> = CODE,
  limits: Partial<IndexLimits> = {},
) {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'amber-index-'))
  t.after(() => rm(cacheFolder, { recursive: true, force: true }))
  const open = () =>
    createSemantic({ cacheFolder, retired: new AbortController().signal, limits: { ...LIMITS, ...limits } })
  return { cacheFolder, open, ...(await createTreeSearch(t, open(), entries)) }
}

function pathsOf(answer: SearchAnswer): readonly string[] {
  return answer.ok ? [...new Set(answer.hits.map(({ path }) => path))] : [`error: ${answer.error}`]
}

test('SEA-2 words find camelCase, snake_case and acronyms, in every form of the word', async (t) => {
  const { search } = await stand(t)
  assert.deepEqual(linesOf(await search('where is a retry done')), [
    'src/retry.ts:2: export function retryWithBackoff() {}',
  ])
  assert.equal(pathsOf(await search('parsing of the configs'))[0], 'src/parse_config.py')
  assert.equal(pathsOf(await search('parsed config'))[0], 'src/parse_config.py')
  assert.equal(pathsOf(await search('http server'))[0], 'src/HTTPServer.ts')
  assert.equal(pathsOf(await search('retries with backoff'))[0], 'src/retry.ts')
})

test('SEA-2 a file that was changed, added, renamed or deleted is found as it is now', async (t) => {
  const { root, search } = await stand(t)
  assert.deepEqual(pathsOf(await search('quasar')), [])
  await writeFile(join(root, 'src/retry.ts'), 'export const quasar = 1\n')
  assert.deepEqual(linesOf(await search('quasar')), ['src/retry.ts:1: export const quasar = 1'])
  assert.deepEqual(pathsOf(await search('backoff')), [])
  await writeFile(join(root, 'new.ts'), 'const quasar = quasarOf(quasar)\n')
  assert.equal(pathsOf(await search('quasar'))[0], 'new.ts')
  await rm(join(root, 'new.ts'))
  assert.deepEqual(pathsOf(await search('quasar')), ['src/retry.ts'])
})

test('SEA-2 a change that keeps size and times is seen before the file is named', async (t) => {
  const { root, search } = await stand(t, { 'a.ts': 'const quasar = 1\n', 'b.ts': 'const other = 2\n' })
  const old = new Date(2020, 1, 1)
  const file = join(root, 'a.ts')
  await utimes(file, old, old)
  assert.deepEqual(pathsOf(await search('quasar')), ['a.ts'])
  await writeFile(file, 'const pulsar = 1\n')
  await utimes(file, old, old)
  assert.deepEqual(pathsOf(await search('quasar')), [])
  assert.deepEqual(pathsOf(await search('pulsar')), ['a.ts'])
})

test('SEA-2 an index that was kept is held against the disk, too; a broken one is made anew', async (t) => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`f${at}.ts`, `const number${at} = 1\n`]),
  )
  const { root, search, open, cacheFolder } = await stand(t, { ...many, 'a.ts': 'const quasar = 1\n' })
  await search('quasar')
  const [name = ''] = await readdir(cacheFolder)
  assert.match(name, /\.index$/)
  await writeFile(join(root, 'a.ts'), 'const pulsar = 1\n')
  const ask = (pattern: string) =>
    open().search(
      { pattern, path: root, root, glob: undefined, max: 10 },
      { signal: new AbortController().signal },
    )
  assert.deepEqual(pathsOf(await ask('quasar')), [])
  assert.deepEqual(pathsOf(await ask('pulsar')), ['a.ts'])
  for (const broken of ['', 'nonsense', '\xff\xff\xff\xff{}']) {
    await writeFile(join(cacheFolder, name), broken, 'latin1')
    assert.deepEqual(pathsOf(await ask('pulsar')), ['a.ts'])
  }
})

test('SEA-2 what is ignored, binary, linked, large or made by programs is left out', async (t) => {
  const { search } = await stand(
    t,
    {
      '.gitignore': 'build/\n*.log\n!keep.log\n',
      'build/out.ts': 'quasar',
      'a.log': 'quasar',
      'keep.log': 'quasar',
      'node_modules/x/index.js': 'quasar',
      '.git/config': 'quasar',
      'binary.bin': 'quasar\0',
      'large.txt': `quasar ${'x'.repeat(2000)}`,
      'min.js': `quasar${';a=1'.repeat(10_000)}`,
      'link.ts': { link: 'keep.log' },
      'sub/.gitignore': '/local.ts\n',
      'sub/local.ts': 'quasar',
    },
    { fileBytes: 1000 },
  )
  assert.deepEqual(pathsOf(await search('quasar')), ['keep.log'])
})

test('SEA-2 folder, glob and max are kept to', async (t) => {
  const { root, search } = await stand(t, {
    'a/one.ts': 'quasar\n',
    'a/two.md': 'quasar\n',
    'ab/three.ts': 'quasar\n',
  })
  assert.deepEqual([...pathsOf(await search('quasar', { path: join(root, 'a') }))].sort(), [
    'a/one.ts',
    'a/two.md',
  ])
  assert.deepEqual([...pathsOf(await search('quasar', { glob: '*.ts' }))].sort(), ['a/one.ts', 'ab/three.ts'])
  const few = await search('quasar', { max: 1 })
  assert.ok(few.ok && few.hits.length === 1 && few.truncated)
})

test('SEA-2 the index is bounded, says what is left out, and a search that is cancelled ends', async (t) => {
  const { search } = await stand(
    t,
    { 'a.ts': 'quasar\n', 'b.ts': 'quasar\n', 'c.ts': 'quasar\n' },
    { files: 2 },
  )
  const bounded = await search('quasar')
  assert.ok(bounded.ok)
  assert.equal(bounded.hits.length, 2)
  assert.match(bounded.note ?? '', /the index is full: 1 files are left out/)
  const late = await stand(t, { 'a.ts': 'quasar\n' }, { timeMs: -1 })
  const answer = await late.search('quasar')
  assert.match((answer.ok && answer.note) || '', /not complete yet: 1 files/)
  assert.deepEqual(await search('quasar', {}, AbortSignal.abort()), {
    ok: false,
    error: 'The search was cancelled.',
  })
  const wordless = await search('?!')
  assert.match(wordless.ok ? '' : wordless.error, /no word to look for/)
})

test('SEA-2 hash, stem and split are what they were: a kept index depends on them', () => {
  assert.deepEqual(termsOf('parseHTTPQueries'), [
    ...termsOf('parse http query'),
    ...termsOf('parseHTTPQueries').slice(3),
  ])
  for (const [a, b] of [
    ['stopped', 'stop'],
    ['caching', 'cache'],
    ['Files', 'file'],
    ['queries', 'query'],
  ] as const)
    assert.deepEqual(termsOf(a), termsOf(b), `${a} and ${b}`)
  assert.deepEqual(termsOf('x'.repeat(64)), [])
  assert.equal(termsOf('Größe größe GRÖẞE').length, 1)
})

test('SEA-2 a long file is found by place, and cut where something new begins', () => {
  const functions = Array.from(
    { length: 20 },
    (_, at) => `export function number${at}() {\n${'  step()\n'.repeat(7)}}\n`,
  ).join('\n')
  const { lines, ends } = chunksOf(functions)
  assert.equal(lines.length, ends.length)
  assert.ok(lines.length > 3)
  const all = functions.split('\n')
  for (const line of lines) assert.match(all[line - 1] ?? '', /^export function/)
})

test('SEA-2 ranking: rare words, words of the path and places with many of the words come first; tests later', () => {
  const fileOf = (path: string, text: string) => ({
    path,
    chunks: chunksOf(text),
    pathTerms: Uint32Array.from(termsOf(path)),
  })
  const files = [
    fileOf('test/lock.test.ts', 'file lock file lock file lock'),
    fileOf('src/common.ts', 'file file file file'),
    fileOf('src/other.ts', 'takes a lock on a file'),
    fileOf('src/lock.ts', 'takes a lock on a file'),
  ]
  const { places } = rank(files, new Set(termsOf('file lock')))
  assert.equal(places[0]?.file.path, 'src/lock.ts')
  assert.equal(places.at(-1)?.file.path, 'src/common.ts')
})

test('SEA-2 questions about amber’s own host are answered by the right file, mostly first', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const names = readdirSync(join(root, 'host'), { recursive: true, encoding: 'utf8' })
  const files = names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const path = `host/${name}`
      const chunks = chunksOf(readFileSync(join(root, path), 'utf8'))
      return { path, chunks, pathTerms: Uint32Array.from(termsOf(path)) }
    })
  const questions = QUESTIONS.filter(([, answer = '']) => answer.startsWith('host/'))
  assert.ok(questions.length > 30)
  const quality = meanReciprocalRank(questions, (question) =>
    rank(files, questionTerms(question)).places.map(({ file }) => file.path),
  )
  assert.ok(quality > 0.5, `the mean reciprocal rank is ${quality.toFixed(3)}`)
})

test('SEA-2 the plugin answers in amber’s own search, and is removed without a trace', async (t) => {
  const { root } = await stand(t)
  const host = createTestHost({ workspace: root })
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  const answer = await host.search('semantic', 'retry after a pause')
  assert.equal(pathsOf(answer)[0], 'src/retry.ts')
  await host.assertCleanRemoval()
})
