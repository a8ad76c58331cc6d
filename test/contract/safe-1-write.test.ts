import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWorkspaceService } from '../../host/workspace/workspace-service.ts'
import { createTempTree } from '../support/temp-tree.ts'

const bytes = (text: string) => Buffer.from(text)

test('SAFE-1 nothing is written outside, by whatever path', async (t) => {
  const folder = await createTempTree(t, {
    'ws/escape': { link: '../out' },
    'ws/file-link': { link: '../out/f' },
    'ws/dangling': { link: '../out/new' },
    'out/f': 'kept',
    'ws-other/f': 'kept',
  })
  const workspace = createWorkspaceService({ workspace: join(folder, 'ws') })
  for (const path of [
    '../out/x',
    'escape/x',
    'escape/deep/x',
    'file-link',
    'dangling',
    '../ws-other/f',
    join(folder, 'out', 'x'),
    '/proc/self/mem',
    '/tmp/amber-outside',
    'a/../../out/x',
    '',
    'x\0y',
  ]) {
    const written = await workspace.write(path, bytes('x'))
    assert.equal(written.ok, false, path)
  }
  assert.deepEqual(await readdir(join(folder, 'out')), ['f'])
  assert.equal(await readFile(join(folder, 'out', 'f'), 'utf8'), 'kept')
  assert.equal(await readFile(join(folder, 'ws-other', 'f'), 'utf8'), 'kept')
})

test('SAFE-1 a folder swapped for a link while it is written to leads no write outside', async (t) => {
  const folder = await createTempTree(t, { 'ws/d/f': 'inside', 'out/f': 'outside' })
  const workspace = createWorkspaceService({ workspace: join(folder, 'ws') })
  const place = join(folder, 'ws', 'd')
  let done = false
  const swap = async () => {
    await rename(place, `${place}.real`)
    // A write may make the folder anew in this very moment; then there is nothing to swap.
    const swapped = await symlink('../out', place).then(
      () => true,
      () => false,
    )
    if (swapped) await rm(place)
    else await rm(place, { recursive: true })
    await rename(`${place}.real`, place).catch(() => undefined)
  }
  const swapping = (async () => {
    while (!done) {
      await swap().catch(() => undefined)
      if (!existsSync(place)) await rename(`${place}.real`, place).catch(() => mkdir(place))
    }
  })()
  for (let round = 0; round < 150; round++) await workspace.write('d/f', bytes(`write ${round}`))
  for (let round = 0; round < 50; round++) await workspace.write(`d/new-${round}`, bytes('new'))
  done = true
  await swapping
  assert.equal(await readFile(join(folder, 'out', 'f'), 'utf8'), 'outside')
  assert.deepEqual(await readdir(join(folder, 'out')), ['f'])
})

test('SAFE-1 a write that expects what was read is refused when the file is another, gone, or there', async (t) => {
  const root = await createTempTree(t, { f: 'one' })
  const workspace = createWorkspaceService({ workspace: root })
  const read = await workspace.read('f')
  assert.ok(read.ok)
  await writeFile(join(root, 'f'), 'two!')
  const late = await workspace.write('f', bytes('x'), { expect: read.version })
  assert.equal(!late.ok && late.rule, 'changed')
  await rm(join(root, 'f'))
  const gone = await workspace.write('f', bytes('x'), { expect: read.version })
  assert.match(gone.ok ? '' : gone.error, /is gone/)
  assert.equal((await workspace.write('f', bytes('x'), { expect: 'missing' })).ok, true)
  const there = await workspace.write('f', bytes('y'), { expect: 'missing' })
  assert.match(there.ok ? '' : there.error, /exists by now/)
  const again = await workspace.read('f')
  assert.ok(again.ok)
  const written = await workspace.write('f', bytes('z'), { expect: again.version })
  assert.ok(written.ok)
  assert.equal((await workspace.write('f', bytes('zz'), { expect: written.version })).ok, true)
  assert.deepEqual(await readdir(root), ['f'], 'no temporary file is left')
})

test('SAFE-1 a reader sees the old bytes or the new, never a part', async (t) => {
  const root = await createTempTree(t, { f: 'a'.repeat(200_000) })
  const workspace = createWorkspaceService({ workspace: root })
  const seen = new Set<string>()
  let done = false
  const reading = (async () => {
    while (!done) {
      const text = await readFile(join(root, 'f'), 'utf8')
      seen.add(`${text.length} ${new Set(text).size}`)
    }
  })()
  for (const letter of 'bcdefghij') await workspace.write('f', bytes(letter.repeat(200_000)))
  done = true
  await reading
  assert.deepEqual([...seen], ['200000 1'])
})

test('SAFE-1 a file where a folder is needed, and a folder where a file is, are told apart', async (t) => {
  const root = await createTempTree(t, { file: 'x' })
  await mkdir(join(root, 'folder'))
  const workspace = createWorkspaceService({ workspace: root })
  const through = await workspace.write('file/x', bytes('x'))
  assert.equal(!through.ok && through.rule, 'not-a-folder')
  const folder = await workspace.write('folder', bytes('x'))
  assert.equal(!folder.ok && folder.rule, 'directory')
  const long = await workspace.write(`${'n'.repeat(256)}`, bytes('x'))
  assert.equal(!long.ok && long.rule, 'malformed')
})
