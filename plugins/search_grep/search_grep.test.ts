import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { callHandler, createTestPluginHost } from '../../test/support/plugin-host.ts'
import { createGrepBackend, createTreeSearch, GREP_WAYS, linesOf } from '../../test/support/search.ts'
import { createTempTree, type TreeEntry } from '../../test/support/temp-tree.ts'
import { createGlobFilter, expandBraces } from './glob-filter.ts'
import { createGrep } from './grep.ts'
import searchGrep from './index.ts'
import { LIMITS } from './limits.ts'
import { createLineSplitter } from './line-splitter.ts'
import { readRipgrepMessage } from './ripgrep-message.ts'

/** An executable that stands in for ripgrep. */
async function createScript(folder: string, script: string): Promise<string> {
  const path = join(folder, 'script')
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return path
}

/** One tree with everything that two ways of searching could see differently. */
const TREE: Readonly<Record<string, TreeEntry>> = {
  '.gitignore': '*.log\n/build/\n!keep.log\nnested/*.tmp\n',
  'a.ts': 'needle one\nno\nneedle needle\n',
  'b.log': 'needle in a log\n',
  'keep.log': 'needle kept\n',
  'build/out.js': 'needle built\n',
  'src/build/in.js': 'needle not at the root\n',
  'src/.gitignore': 'secret.ts\n!*.log\n',
  'src/secret.ts': 'needle secret\n',
  'src/back.log': 'needle back again\n',
  'src/.ignore': 'quiet.ts\n',
  'src/quiet.ts': 'needle quiet\n',
  'nested/x.tmp': 'needle tmp\n',
  '.hidden/h.ts': 'needle hidden\n',
  '.git/HEAD': 'needle of git\n',
  'dos.txt': 'needle\r\nend needle\r\n',
  'mark.txt': '\ufeffneedle after mark\n',
  'wide.txt': Buffer.from('\ufeffneedle wide\n', 'utf16le'),
  'latin.txt': Buffer.from('caf\xe9 needle\n', 'latin1'),
  'bin.dat': 'needle\0needle\n',
  'late.dat': `needle first\n${'x\n'.repeat(100_000)}\0`,
  'empty.txt': '',
  'last.txt': 'one\nneedle without line feed',
  'ünï/北 space.ts': 'needle ünï 北 😀\n',
  'sub/.git/HEAD': 'x',
  'sub/own.log': 'needle of a repository inside\n',
  'Upper.TS': 'needle upper\n',
}

const NEEDLES = [
  '.hidden/h.ts:1: needle hidden',
  'Upper.TS:1: needle upper',
  'a.ts:1: needle one',
  'a.ts:3: needle needle',
  'dos.txt:1: needle',
  'dos.txt:2: end needle',
  'keep.log:1: needle kept',
  'last.txt:2: needle without line feed',
  'latin.txt:1: caf\ufffd needle',
  'mark.txt:1: needle after mark',
  'src/back.log:1: needle back again',
  'src/build/in.js:1: needle not at the root',
  'sub/own.log:1: needle of a repository inside',
  'wide.txt:1: needle wide',
  'ünï/北 space.ts:1: needle ünï 北 😀',
]

for (const way of GREP_WAYS) {
  test(`TOOL-2 grep finds what git would not ignore, in the order of paths (${way})`, async (t) => {
    const { search } = await createTreeSearch(t, createGrepBackend(way), TREE)
    const answer = await search('needle')
    assert.deepEqual(linesOf(answer), NEEDLES)
    assert.ok(answer.ok)
    assert.deepEqual([answer.truncated, answer.total], [false, NEEDLES.length])
  })

  test(`TOOL-2 grep honours .gitignore outside of a repository too (${way})`, async (t) => {
    const { '.git/HEAD': _head, 'sub/.git/HEAD': _sub, ...plain } = TREE
    const { search } = await createTreeSearch(t, createGrepBackend(way), plain)
    assert.deepEqual(
      linesOf(await search('needle')),
      NEEDLES.filter((line) => !line.startsWith('sub/')),
    )
  })
}

test('TOOL-2 both ways of grep answer alike, whatever the query', async (t) => {
  const ripgrep = await createTreeSearch(t, createGrepBackend('ripgrep'), TREE)
  const inProcess = createGrepBackend('in process')
  const { root } = ripgrep
  const queries = [
    { pattern: '^needle' },
    { pattern: 'needle$' },
    { pattern: '(?i)NEEDLE' },
    { pattern: 'NEEDLE' },
    { pattern: 'ünï' },
    { pattern: '[北😀]$' },
    { pattern: 'x*', path: join(root, 'a.ts') },
    { pattern: 'needle', glob: '*.ts' },
    { pattern: 'needle', glob: '*.{ts,log}' },
    { pattern: 'needle', glob: 'src/**' },
    { pattern: 'needle', glob: '!*.ts' },
    { pattern: 'needle', glob: '/a.ts' },
    { pattern: 'needle', glob: '{a' },
    { pattern: 'needle', path: join(root, 'src') },
    { pattern: 'needle', path: join(root, 'src/build') },
    { pattern: 'needle', path: join(root, 'build') },
    { pattern: 'needle', path: join(root, 'b.log') },
    { pattern: 'needle', path: join(root, 'bin.dat') },
    { pattern: 'needle', path: join(root, 'a.ts'), glob: '*.js' },
    { pattern: 'needle', path: join(root, 'empty.txt') },
    { pattern: 'needle', max: 3 },
    { pattern: 'nothing of the kind' },
  ]
  for (const { pattern, ...query } of queries) {
    const [one, other] = [
      await ripgrep.search(pattern, query),
      await inProcess.search(
        { pattern, path: root, root, glob: undefined, max: 200, ...query },
        { signal: new AbortController().signal },
      ),
    ]
    const say = JSON.stringify({ pattern, ...query })
    assert.ok(one.ok && other.ok, say)
    assert.deepEqual(linesOf(other), linesOf(one), say)
    assert.deepEqual([other.truncated, other.total], [one.truncated, one.total], say)
  }
})

for (const way of GREP_WAYS) {
  test(`TOOL-3 a pattern that is no regular expression is an error that says why (${way})`, async (t) => {
    const { search } = await createTreeSearch(t, createGrepBackend(way), { a: 'a(b' })
    for (const pattern of ['(', '[a', 'a{2,1}', '*']) {
      const answer = await search(pattern)
      assert.equal(answer.ok, false, pattern)
      assert.match(
        answer.ok ? '' : answer.error,
        /is not a valid regular expression: .+\. To search for it literally/,
      )
    }
    assert.deepEqual(linesOf(await search('a\\(')), ['a:1: a(b'])
  })

  test(`TOOL-7 cancelling ends a search (${way})`, async (t) => {
    const { search } = await createTreeSearch(t, createGrepBackend(way), { a: 'a' })
    assert.deepEqual(await search('a', {}, AbortSignal.abort()), {
      ok: false,
      error: 'The search was cancelled.',
    })
  })

  test(`TOOL-8 hits are bounded in number, and the answer says so (${way})`, async (t) => {
    const backend = createGrepBackend(way, { ...LIMITS, hits: 50 })
    const { search } = await createTreeSearch(t, backend, { a: 'x\n'.repeat(1000) })
    const answer = await search('x', { max: 10 })
    assert.ok(answer.ok)
    assert.deepEqual([answer.hits.length, answer.truncated, answer.total], [10, true, undefined])
  })

  test(`TOOL-3 a binary file that was named is said to be one (${way})`, async (t) => {
    const { root, search } = await createTreeSearch(t, createGrepBackend(way), { b: 'x\0' })
    const answer = await search('x', { path: join(root, 'b') })
    assert.ok(answer.ok)
    assert.deepEqual(answer.hits, [])
    assert.match(answer.note ?? '', /this file is binary and was not searched/)
  })
}

test('TOOL-8 a line that is too long to hold is left out with a note', async (t) => {
  const backend = createGrepBackend('ripgrep', { ...LIMITS, messageBytes: 10_000 })
  const { search } = await createTreeSearch(t, backend, { a: `${'x'.repeat(20_000)}\nx\n` })
  const answer = await search('x')
  assert.deepEqual(linesOf(answer), ['a:2: x'])
  assert.match(answer.ok ? (answer.note ?? '') : '', /1 matching line too long to show/)
})

test('TOOL-7 a running child is killed when the call is cancelled or the plugin retired', async (t) => {
  const root = await createTempTree(t)
  await promisify(execFile)('mkfifo', [join(root, 'started')])
  const slow = await createScript(root, 'echo $$ > started; exec sleep 60')
  const retire = new AbortController()
  const call = new AbortController()
  const backend = createGrep({ binary: async () => slow, retired: retire.signal })
  const query = { pattern: 'x', path: root, root, glob: undefined, max: 10 }
  for (const end of [call, retire]) {
    const signal = end === call ? call.signal : new AbortController().signal
    const answer = backend.search(query, { signal })
    const pid = Number(await readFile(join(root, 'started'), 'utf8'))
    assert.ok(process.kill(pid, 0), 'the child runs')
    end.abort()
    assert.deepEqual(await answer, { ok: false, error: 'The search was cancelled.' })
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  }
})

test('TOOL-7 a search that takes too long answers what it found until then', async (t) => {
  const root = await createTempTree(t, { a: '' })
  const data = { path: { text: join(root, 'a') }, lines: { text: 'found\n' }, line_number: 1, submatches: [] }
  await writeFile(join(root, 'output'), `${JSON.stringify({ type: 'match', data })}\n`)
  const slow = await createScript(root, 'cat output; exec sleep 60')
  const limits = { ...LIMITS, timeMs: 1000 }
  const backend = createGrep({ binary: async () => slow, retired: new AbortController().signal, limits })
  const query = { pattern: 'x', path: root, root, glob: undefined, max: 10 }
  const answer = await backend.search(query, { signal: new AbortController().signal })
  assert.deepEqual(linesOf(answer), ['a:1: found'])
  assert.ok(answer.ok && answer.truncated)
  assert.match(answer.note ?? '', /time ran out/)
})

test('TOOL-3 where ripgrep does not start grep searches without it, and says so', async (t) => {
  const folder = await createTempTree(t, {
    a: 'needle',
    'not-executable': '',
    broken: '#!/bin/sh\nexit 127\n',
  })
  await chmod(join(folder, 'broken'), 0o755)
  const query = { pattern: 'needle', path: folder, root: folder, glob: 'a', max: 10 }
  for (const name of ['absent', 'not-executable', 'broken']) {
    const backend = createGrep({
      binary: async () => join(folder, name),
      retired: new AbortController().signal,
    })
    const answer = await backend.search(query, { signal: new AbortController().signal })
    assert.deepEqual(linesOf(answer), ['a:1: needle'], name)
    assert.match(
      answer.ok ? (answer.note ?? '') : '',
      /^ripgrep does not start here \(.+\); searched without it/,
    )
  }
})

test('TOOL-7 without ripgrep a pattern that would freeze the process is stopped', async (t) => {
  const { search } = await createTreeSearch(t, createGrepBackend('in process'), { a: `${'a'.repeat(64)}!` })
  const answer = await search('^(a+)+$')
  assert.match(answer.ok ? '' : answer.error, /takes too long to match/)
})

test('TOOL-2 the plugin finds its own ripgrep', async (t) => {
  const root = await createTempTree(t, { a: 'needle' })
  const search = await callHandler(searchGrep, createTestPluginHost({ id: 'search_grep' }), [
    'searchBackends',
    'grep',
    'search',
  ])
  const query = { pattern: 'needle', path: root, root, glob: undefined, max: 10 }
  assert.deepEqual(await search(query, { signal: new AbortController().signal }), {
    ok: true,
    hits: [{ path: 'a', line: 1, text: 'needle' }],
    truncated: false,
    total: 1,
  })
})

test('SAFE-6 ripgrep gets none of the keys in amber’s environment', async (t) => {
  const root = await createTempTree(t, { summary: '{"type":"summary","data":{}}\n' })
  const spy = await createScript(root, 'env > seen; cat summary')
  process.env.AMBER_TEST_SECRET_KEY = 'hunter2'
  t.after(() => delete process.env.AMBER_TEST_SECRET_KEY)
  const backend = createGrep({ binary: async () => spy, retired: new AbortController().signal })
  const query = { pattern: 'x', path: root, root, glob: undefined, max: 10 }
  assert.equal((await backend.search(query, { signal: new AbortController().signal })).ok, true)
  const seen = await readFile(join(root, 'seen'), 'utf8')
  assert.match(seen, /^PATH=/m)
  assert.doesNotMatch(seen, /hunter2/)
})

test('TOOL-2 globs: names anywhere, paths from the root, alternatives, exceptions', () => {
  const cases = [
    ['*.ts', 'a/b.ts', true],
    ['*.ts', 'a.ts/b.js', false],
    ['*.TS', 'b.ts', false],
    ['src/**/*.ts', 'src/a/b.ts', true],
    ['src/**/*.ts', 'lib/src/a.ts', false],
    ['./src/*.ts', 'src/a.ts', true],
    ['src/', 'src/deep/a.ts', true],
    ['*.{js,ts}', 'a.ts', true],
    ['{a,b{c,d}}.ts', 'bd.ts', true],
    ['!*.test.ts', 'a.test.ts', false],
    ['!*.test.ts', 'a.ts', true],
    ['#x', '#x', true],
    ['Makefile', 'deep/Makefile', true],
  ] as const
  for (const [glob, path, expected] of cases) {
    assert.equal(createGlobFilter(glob)(path), expected, `${glob} ${path}`)
  }
  assert.deepEqual(expandBraces('{a'), ['{a'])
  assert.ok(expandBraces('{a,b}'.repeat(40)).length <= 256)
})

test('TOOL-8 lines are split as they come, wherever the chunks end', () => {
  const text = 'one\n\nthrée\ntoo long a line\nlast\n'
  for (const size of [1, 2, 3, 7, 100]) {
    const seen: string[] = []
    const splitter = createLineSplitter({
      maxBytes: 6,
      line: (bytes) => seen.push(bytes.toString()),
      tooLong: () => seen.push('<long>'),
    })
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size))
    assert.deepEqual(seen, ['one', '', 'thrée', '<long>', 'last'], `chunks of ${size}`)
  }
})

test('TOOL-3 output that is not ripgrep’s is passed over', () => {
  for (const line of [
    '',
    '{',
    'null',
    '[]',
    '{"type":"match"}',
    '{"type":"match","data":{"path":{"text":1}}}',
    '7',
  ]) {
    assert.equal(readRipgrepMessage(Buffer.from(line)), undefined, line)
  }
})
