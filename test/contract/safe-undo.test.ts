import assert from 'node:assert/strict'
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { systemClock } from '../../host/base/clock.ts'
import { createCheckpoints } from '../../host/workspace/checkpoints.ts'
import { createUndo } from '../../host/workspace/undo.ts'
import { createWorkspaceService } from '../../host/workspace/workspace-service.ts'
import { createTempTree } from '../support/temp-tree.ts'

/** A workspace whose writes can be taken back. */
async function setUp(t: TestContext, entries: Readonly<Record<string, string>>) {
  const folder = await createTempTree(t, { ...prefixed(entries), state: { folder: true } })
  const root = join(folder, 'ws')
  const checkpoints = createCheckpoints({
    folder: async () => join(folder, 'state'),
    root: async () => root,
    clock: systemClock,
  })
  const workspace = createWorkspaceService({ workspace: root, keeper: checkpoints.keeper })
  const undo = createUndo({ checkpoints, workspace: createWorkspaceService({ workspace: root }) })
  const write = async (path: string, text: string) => {
    const written = await workspace.write(path, Buffer.from(text))
    assert.equal(written.ok, true)
  }
  const text = (path: string) => readFile(join(root, path), 'utf8')
  return { folder, root, checkpoints, undo, write, text }
}

function prefixed(entries: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(entries).map(([path, content]) => [`ws/${path}`, content]))
}

test('SAFE-1 undo takes a turn’s files back: changed ones as they were before its first write, new ones away', async (t) => {
  const { root, checkpoints, undo, write, text } = await setUp(t, { a: 'old a\n', b: 'old b\n' })
  await chmod(join(root, 'a'), 0o755)
  await checkpoints.turn('session-1', async () => {
    await write('a', 'one\n')
    await write('a', 'two\n')
    await write('d/new', 'new\n')
  })
  const plan = await undo.plan()
  assert.ok(plan)
  assert.deepEqual(plan.files, ['a', 'd/new'])
  assert.deepEqual(plan.changed, [])
  assert.match(plan.diff, /--- a\/a\n\+\+\+ b\/a\n@@ -1,1 \+1,1 @@\n-two\n\+old a/)
  assert.match(plan.diff, /--- a\/d\/new\n\+\+\+ \/dev\/null\n/)
  assert.equal(await text('a'), 'two\n', 'looking changes nothing')
  await undo.apply(plan)
  assert.equal(await text('a'), 'old a\n')
  assert.equal((await stat(join(root, 'a'))).mode & 0o777, 0o755)
  assert.deepEqual(await readdir(join(root, 'd')), [])
  assert.equal(await text('b'), 'old b\n')
  assert.equal(await undo.plan(), undefined, 'once')
})

test('SAFE-1 undo refuses, and touches nothing, where a file has changed since', async (t) => {
  const { root, checkpoints, undo, write, text } = await setUp(t, { a: 'old a\n', b: 'old b\n' })
  await checkpoints.turn(null, async () => {
    await write('a', 'one\n')
    await write('b', 'two\n')
  })
  await writeFile(join(root, 'b'), 'the user was here\n')
  const plan = await undo.plan()
  assert.ok(plan)
  assert.deepEqual(plan.changed, ['b'])
  assert.match(plan.diff, /-the user was here\n\+old b/)
  await assert.rejects(undo.apply(plan), /b has changed since, so nothing was taken back/)
  assert.deepEqual([await text('a'), await text('b')], ['one\n', 'the user was here\n'])
  await rm(join(root, 'b'))
  await assert.rejects(undo.apply(plan), /b has changed since/)
})

test('SAFE-1 turns are taken back one by one, the newest first, and by session', async (t) => {
  const { checkpoints, undo, write, text } = await setUp(t, { a: '0\n' })
  for (const [session, content] of [
    ['s1', '1\n'],
    ['s2', '2\n'],
    ['s2', '3\n'],
  ] as const) {
    await checkpoints.turn(session, () => write('a', content))
    // Ids sort by the millisecond.
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await checkpoints.turn('s2', async () => {})
  const [newest, older] = [await undo.plan(), await undo.plan('s1')]
  assert.ok(newest && older)
  assert.deepEqual(older.changed, ['a'], 'what s1 wrote has been written over')
  await undo.apply(newest)
  assert.equal(await text('a'), '2\n')
  const next = await undo.plan('s2')
  assert.ok(next)
  await undo.apply(next)
  assert.equal(await text('a'), '1\n')
})

test('SAFE-1 a write outside of a turn keeps nothing, and turns at the same time share what they keep', async (t) => {
  const { folder, checkpoints, undo, write, text } = await setUp(t, { a: '0\n', b: '0\n' })
  await write('a', '1\n')
  assert.deepEqual(await readdir(join(folder, 'state')), [])
  await checkpoints.turn('s1', async () => {
    await checkpoints.turn('s1', () => write('a', '2\n'))
    await write('b', '2\n')
  })
  const plan = await undo.plan()
  assert.ok(plan)
  await undo.apply(plan)
  assert.deepEqual([await text('a'), await text('b')], ['1\n', '0\n'])
})
