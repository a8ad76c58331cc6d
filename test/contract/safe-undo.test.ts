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
  /** Runs a turn of a session; its id. */
  const turn = async (session: string | null, run: () => Promise<unknown>) => {
    const id = checkpoints.newId()
    await checkpoints.turn({ id, session }, run)
    return id
  }
  const planOf = async (id: string) => {
    const checkpoint = await checkpoints.find(id)
    return checkpoint === undefined || checkpoint === 'pruned' ? checkpoint : undo.plan(checkpoint)
  }
  return { folder, root, checkpoints, undo, write, text, turn, planOf }
}

function prefixed(entries: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(entries).map(([path, content]) => [`ws/${path}`, content]))
}

test('SAFE-1 undo takes a turn’s files back: changed ones as they were before its first write, new ones away', async (t) => {
  const { root, undo, write, text, turn, planOf } = await setUp(t, { a: 'old a\n', b: 'old b\n' })
  await chmod(join(root, 'a'), 0o755)
  const id = await turn('session-1', async () => {
    await write('a', 'one\n')
    await write('a', 'two\n')
    await write('d/new', 'new\n')
  })
  const plan = await planOf(id)
  assert.ok(plan !== undefined && plan !== 'pruned')
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
  assert.equal(await planOf(id), undefined, 'once')
})

test('SAFE-1 undo refuses, and touches nothing, where a file has changed since', async (t) => {
  const { root, undo, write, text, turn, planOf } = await setUp(t, { a: 'old a\n', b: 'old b\n' })
  const id = await turn(null, async () => {
    await write('a', 'one\n')
    await write('b', 'two\n')
  })
  await writeFile(join(root, 'b'), 'the user was here\n')
  const plan = await planOf(id)
  assert.ok(plan !== undefined && plan !== 'pruned')
  assert.deepEqual(plan.changed, ['b'])
  assert.match(plan.diff, /-the user was here\n\+old b/)
  await assert.rejects(undo.apply(plan), /b has changed since, so nothing was taken back/)
  assert.deepEqual([await text('a'), await text('b')], ['one\n', 'the user was here\n'])
  await rm(join(root, 'b'))
  await assert.rejects(undo.apply(plan), /b has changed since/)
})

test('SAFE-1 a kept copy that is gone is said, and nothing is touched', async (t) => {
  const { folder, write, text, turn, planOf } = await setUp(t, { a: '0\n' })
  const id = await turn('s1', () => write('a', '1\n'))
  await rm(join(folder, 'state', id, '0.before'))
  await assert.rejects(planOf(id), { name: 'AmberError', message: /what a was before is gone/i })
  assert.equal(await text('a'), '1\n')
})

test('SAFE-1 turns are known by their names, which sort by time', async (t) => {
  const { checkpoints, undo, write, text, turn, planOf } = await setUp(t, { a: '0\n' })
  const ids: string[] = []
  for (const content of ['1\n', '2\n', '3\n']) ids.push(await turn('s', () => write('a', content)))
  ids.push(await turn('s', async () => {}))
  assert.deepEqual(ids.toSorted(), ids)
  const [first = '', second = '', third = '', idle = ''] = ids
  assert.equal(await planOf(idle), undefined)
  assert.equal((await checkpoints.newest())?.id, third)
  const older = await planOf(first)
  assert.ok(older !== undefined && older !== 'pruned')
  assert.deepEqual(older.changed, ['a'], 'it has been written over')
  for (const [id, content] of [
    [third, '2\n'],
    [second, '1\n'],
  ] as const) {
    const plan = await planOf(id)
    assert.ok(plan !== undefined && plan !== 'pruned')
    await undo.apply(plan)
    assert.equal(await text('a'), content)
  }
})

test('SAFE-1 a write outside of a turn keeps nothing, and turns at the same time keep what is their own', async (t) => {
  const { folder, undo, write, text, turn, planOf } = await setUp(t, { a: '0\n', b: '0\n' })
  await write('a', '1\n')
  assert.deepEqual(await readdir(join(folder, 'state')), [])
  let begun = () => {}
  const both = new Promise<void>((resolve) => {
    begun = resolve
  })
  const [one, other] = await Promise.all([
    turn('s1', async () => {
      await both
      await write('a', '2\n')
    }),
    turn('s2', async () => {
      begun()
      await write('b', '2\n')
    }),
  ])
  const plan = await planOf(one)
  assert.ok(plan !== undefined && plan !== 'pruned')
  assert.deepEqual(plan.files, ['a'])
  await undo.apply(plan)
  assert.deepEqual([await text('a'), await text('b')], ['1\n', '2\n'])
  const rest = await planOf(other)
  assert.ok(rest !== undefined && rest !== 'pruned')
  assert.deepEqual(rest.files, ['b'])
})

test('SAFE-1 the oldest checkpoints go, and a turn of that time is told from one that wrote nothing', async (t) => {
  const { folder, write, turn, planOf } = await setUp(t, { a: '0\n' })
  const first = await turn('s', () => write('a', 'first\n'))
  const idle = await turn('s', async () => {})
  for (let at = 0; at < 50; at++) await turn('s', () => write('a', `${at}\n`))
  assert.equal((await readdir(join(folder, 'state'))).length, 50)
  assert.equal(await planOf(first), 'pruned')
  assert.equal(await planOf(idle), 'pruned', 'nobody knows any more')
  assert.equal(await planOf('no id'), undefined)
})
