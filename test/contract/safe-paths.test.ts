import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { confine } from '../../host/workspace/confinement.ts'
import { isInside } from '../../host/workspace/inside.ts'
import { openPinned } from '../../host/workspace/pinned.ts'
import { createWorkspaceService } from '../../host/workspace/workspace-service.ts'
import { atEnd } from '../support/at-end.ts'
import { createTempTree } from '../support/temp-tree.ts'

const run = promisify(execFile)

test('SAFE-1 a path is inside by whole segments', () => {
  assert.equal(isInside('/a/b', '/a/b'), true)
  assert.equal(isInside('/a/b', '/a/b/c'), true)
  assert.equal(isInside('/a/b', '/a/bc'), false)
  assert.equal(isInside('/a/b', '/a'), false)
  assert.equal(isInside('/', '/a'), true)
})

test('SAFE-1 files, folders and files that do not exist yet are located by their real path', async (t) => {
  const folder = await createTempTree(t, { 'ws/src/a.ts': 'a', 'ws/inner': { link: 'src' } })
  const workspace = createWorkspaceService({ workspace: join(folder, 'ws') })
  const root = join(folder, 'ws')
  assert.equal(await workspace.root(), root)
  const cases = [
    ['src/a.ts', 'src/a.ts', 'file'],
    ['./src//a.ts', 'src/a.ts', 'file'],
    ['src/../src/a.ts', 'src/a.ts', 'file'],
    [join(root, 'src/a.ts'), 'src/a.ts', 'file'],
    ['inner/a.ts', 'src/a.ts', 'file'],
    ['.', '.', 'directory'],
    ['src', 'src', 'directory'],
    ['../ws/src', 'src', 'directory'],
    ['src/new.ts', 'src/new.ts', 'missing'],
    ['inner/deep/er/new.ts', 'src/deep/er/new.ts', 'missing'],
    ['北/👍.ts', '北/👍.ts', 'missing'],
  ] as const
  for (const [asked, expected, kind] of cases) {
    assert.deepEqual(await workspace.locate(asked), {
      ok: true,
      path: join(root, expected),
      relative: expected,
      kind,
    })
  }
})

test('SAFE-1 a refusal names its rule and says what to do', async (t) => {
  const folder = await createTempTree(t, {
    'ws/file': 'x',
    'ws/dangling': { link: 'nowhere' },
    'ws/out-dangling': { link: '/nowhere-at-all/x' },
    'ws/loop': { link: 'loop' },
    'ws/up': { link: '..' },
    'ws/abs': { link: '/' },
    secret: 's',
  })
  const workspace = createWorkspaceService({ workspace: join(folder, 'ws') })
  const cases = [
    ['', 'malformed'],
    ['a\0b', 'malformed'],
    ['x'.repeat(256), 'malformed'],
    ['é'.repeat(128), 'malformed'],
    ['a/'.repeat(3000), 'malformed'],
    ['..', 'outside'],
    ['../secret', 'outside'],
    ['../not-there', 'outside'],
    ['../not-there/../ws-2', 'outside'],
    ['up/secret', 'outside'],
    ['up/new', 'outside'],
    ['abs/etc/passwd', 'outside'],
    ['/etc/passwd', 'outside'],
    ['/etc/passwd/below', 'outside'],
    ['/proc/self/environ', 'outside'],
    ['/proc/self/cwd/package.json', 'outside'],
    ['dangling', 'dangling-link'],
    ['dangling/new', 'dangling-link'],
    ['out-dangling', 'dangling-link'],
    ['loop', 'link-loop'],
    ['file/below', 'not-a-folder'],
    ['nothing/../up/secret', 'missing'],
  ] as const
  for (const [asked, rule] of cases) {
    const found = await workspace.locate(asked)
    assert.equal(found.ok, false, JSON.stringify(asked.slice(0, 40)))
    assert.equal(found.ok || found.rule, rule, JSON.stringify(asked.slice(0, 40)))
    assert.ok(
      found.ok || /\. (Give|Leave|Use|Only|Mend|Write)/.test(found.error),
      found.ok ? '' : found.error,
    )
    assert.ok(found.ok || found.error.length < 1000)
  }
})

test('SAFE-1 a workspace that holds the whole system still keeps the kernel folders out', async () => {
  for (const path of [
    '/proc/self/environ',
    '/proc/self/root/proc/1/mem',
    '/dev/null',
    '/sys/kernel',
    '/proc/new',
  ]) {
    const found = await confine('/', path)
    assert.equal(found.ok || found.rule, 'outside', path)
  }
})

test('SAFE-1 what is outside is refused alike whether it exists or not', async (t) => {
  const folder = await createTempTree(t, { 'ws/a': 'a', there: 'x' })
  const root = join(folder, 'ws')
  const [there, absent] = [await confine(root, '../there'), await confine(root, '../absen')]
  assert.ok(!there.ok && !absent.ok)
  assert.equal(there.error.replaceAll('there', '?'), absent.error.replaceAll('absen', '?'))
})

test('SAFE-1 a file is read in pieces through checked handles', async (t) => {
  const root = await createTempTree(t, { 'a.txt': 'hällo' })
  const workspace = createWorkspaceService({ workspace: root })
  const whole = await workspace.read('a.txt')
  assert.ok(whole.ok)
  assert.equal(Buffer.from(whole.bytes).toString(), 'hällo')
  assert.deepEqual([whole.relative, whole.size], ['a.txt', 6])
  const part = await workspace.read('a.txt', { offset: 3, maxBytes: 2 })
  assert.ok(part.ok)
  assert.deepEqual([Buffer.from(part.bytes).toString(), part.size, part.identity], ['ll', 6, whole.identity])
  const beyond = await workspace.read('a.txt', { offset: 99 })
  assert.ok(beyond.ok && beyond.bytes.length === 0)
})

test('SAFE-1 FIFOs, sockets, devices and folders are refused without waiting', async (t) => {
  const root = await createTempTree(t, { 'sub/a': 'a', device: { link: '/dev/zero' } })
  await run('mkfifo', [join(root, 'fifo')])
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(relative(process.cwd(), join(root, 'socket')), resolve))
  atEnd(t, () => server.close())
  const workspace = createWorkspaceService({ workspace: root })
  const cases = [
    ['fifo', 'special'],
    ['socket', 'special'],
    ['device', 'outside'],
    ['sub', 'directory'],
    ['nothing', 'missing'],
  ] as const
  for (const [path, rule] of cases) {
    const read = await workspace.read(path)
    assert.equal(read.ok || read.rule, rule, path)
  }
})

test('SAFE-1 a file that becomes a link between check and opening is not read', async (t) => {
  const folder = await createTempTree(t, { 'ws/a/f': 'inside', 'out/f': 'outside', 'ws/b': 'b' })
  const root = join(folder, 'ws')
  const file = await confine(root, 'b')
  const deep = await confine(root, 'a/f')
  assert.ok(file.ok && deep.ok)
  await rm(join(root, 'b'))
  await symlink(join(folder, 'out/f'), join(root, 'b'))
  const swapped = await openPinned(root, file.path, { kind: 'file', asked: 'b' })
  assert.equal(swapped.ok || swapped.rule, 'changed')
  await rename(join(root, 'a'), join(root, 'old'))
  await symlink(join(folder, 'out'), join(root, 'a'))
  const under = await openPinned(root, deep.path, { kind: 'file', asked: 'a/f' })
  assert.equal(under.ok || under.rule, 'outside')
})

test('SAFE-1 a folder is listed in order, links unfollowed, within bounds', async (t) => {
  const root = await createTempTree(t, { 'd/b.ts': '', 'd/a/x': '', 'd/z': { link: '/etc' }, f: '' })
  const workspace = createWorkspaceService({ workspace: root })
  const listing = await workspace.list('d')
  assert.ok(listing.ok)
  assert.deepEqual(listing.entries, [
    { name: 'a', kind: 'directory' },
    { name: 'b.ts', kind: 'file' },
    { name: 'z', kind: 'link' },
  ])
  const short = await workspace.list('d', { max: 1 })
  assert.ok(short.ok)
  assert.deepEqual([short.entries.length, short.total], [1, 3])
  const file = await workspace.list('f')
  assert.equal(file.ok || file.rule, 'not-a-folder')
  const outside = await workspace.list('d/z')
  assert.equal(outside.ok || outside.rule, 'outside')
})

test('SAFE-1 the root is the real path of a linked workspace, and stays it when the link moves', async (t) => {
  const folder = await createTempTree(t, { 'one/a': 'a', 'two/b': 'b', ws: { link: 'one' } })
  const workspace = createWorkspaceService({ workspace: join(folder, 'ws') })
  assert.equal(await workspace.root(), join(folder, 'one'))
  await rm(join(folder, 'ws'))
  await symlink('two', join(folder, 'ws'))
  assert.equal((await workspace.locate('a')).ok, true)
  assert.equal((await workspace.locate(join(folder, 'ws/b'))).ok, false)
})

test('SAFE-1 a workspace that is absent is an error that says so, and works once it is there', async (t) => {
  const folder = await createTempTree(t)
  const workspace = createWorkspaceService({ workspace: join(folder, 'later') })
  await assert.rejects(workspace.locate('a'), { name: 'AmberError', code: 'configuration' })
  await mkdir(join(folder, 'later'))
  await writeFile(join(folder, 'later/a'), '')
  assert.equal((await workspace.locate('a')).ok, true)
})

test('SAFE-1 whatever path is made of folders, links and dots, what is allowed is really inside', async (t) => {
  const folder = await createTempTree(t, {
    'ws/a/b/f': 'f',
    'ws/a/up': { link: '../..' },
    'ws/out': { link: '../out' },
    'ws/in': { link: 'a/b' },
    'ws/a/b/abs': { link: '/' },
    'ws/gone': { link: 'a/nothing' },
    'ws/n\u202fb': 'n',
    'out/a/f': 'secret',
  })
  const root = join(folder, 'ws')
  const names = ['a', 'b', 'f', 'up', 'out', 'in', 'abs', 'gone', 'new', 'n b', 'ws', '..', '..', '.', '']
  const path = fc.record({
    start: fc.constantFrom('', `${root}/`, `${folder}/`, '/'),
    names: fc.array(fc.constantFrom(...names), { maxLength: 7 }),
  })
  await fc.assert(
    fc.asyncProperty(path, async (made) => {
      const found = await confine(root, `${made.start}${made.names.join('/')}`)
      if (!found.ok) return
      assert.ok(isInside(root, found.path))
      assert.equal(await realOrAncestor(found.path), found.path)
      if (found.kind !== 'missing') assert.equal(await realpath(found.path), found.path)
    }),
    { numRuns: 500 },
  )
})

/** The real path of what exists of a path, and the rest of it. */
async function realOrAncestor(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    return join(await realOrAncestor(dirname(path)), relative(dirname(path), path))
  }
}
