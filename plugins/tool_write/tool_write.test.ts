import assert from 'node:assert/strict'
import { link, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeclined } from 'amber-agent/sdk'
import { callHandler, createTestPluginHost, testCall } from '../../test/support/plugin-host.ts'
import { createWriteFixture } from '../../test/support/write-fixture.ts'
import toolWrite from './index.ts'

test('TOOL-2 write creates a file with its folders, and replaces a whole one', async (t) => {
  const file = await createWriteFixture(t)
  const made = await file.write('a/b/c.txt', { old: '', new: 'one\ntwo\n' })
  assert.equal(made.output, 'Created a/b/c.txt: +2 −0 lines.')
  assert.equal(await file.text('a/b/c.txt'), 'one\ntwo\n')
  const replaced = await file.write('a/b/c.txt', { old: '', new: 'three\n' })
  assert.equal(replaced.output, 'Changed a/b/c.txt: +1 −2 lines.')
  assert.equal(await file.text('a/b/c.txt'), 'three\n')
})

test('TOOL-2 write makes its edits in order, each on the result of the last, all or none', async (t) => {
  const file = await createWriteFixture(t, { f: 'a b c\n' })
  await file.write('f', { old: 'a', new: 'b' }, { old: 'b b', new: 'x' })
  assert.equal(await file.text('f'), 'x c\n')
  const failed = await file.write('f', { old: 'x', new: 'y' }, { old: 'nowhere at all', new: 'z' })
  assert.match(failed.error ?? '', /^f: Edit 2 of 2: old does not occur.* Nothing was written\.$/s)
  assert.equal(await file.text('f'), 'x c\n')
})

test('TOOL-2 write refuses a text that occurs more than once, with the lines, unless all are meant', async (t) => {
  const file = await createWriteFixture(t, { f: 'x\ny\nx\nz\nx x\n' })
  const result = await file.write('f', { old: 'x', new: 'w' })
  assert.match(result.error ?? '', /old occurs 4 times, in lines 1, 3, 5, 5\. Take more of the lines/)
  assert.equal((await file.write('f', { old: 'x', new: '$&$1', all: true })).ok, true)
  assert.equal(await file.text('f'), '$&$1\ny\n$&$1\nz\n$&$1 $&$1\n')
})

test('TOOL-2 write shows the place that comes nearest to a text that does not occur', async (t) => {
  const file = await createWriteFixture(t, {
    'a.ts': 'export function total(items) {\n  return items.length\n}\n',
  })
  const result = await file.write('a.ts', { old: 'export function totals(item) {', new: 'x' })
  assert.match(result.error ?? '', /The nearest place is line 1:\n1: export function total\(items\) \{/)
  assert.match((await file.write('a.ts', { old: '???', new: 'x' })).error ?? '', /nor anything like it/)
  assert.match((await file.write('b.ts', { old: 'x', new: 'y' })).error ?? '', /"b\.ts" does not exist/)
  assert.match((await file.write('a.ts', { old: 'total', new: 'total' })).error ?? '', /same text/)
})

test('TOOL-2 write gives a unified diff to the screen', async (t) => {
  const file = await createWriteFixture(t, { f: 'a\nb\nc\n' })
  const { meta } = await file.write('f', { old: 'b', new: 'B\nC' })
  assert.deepEqual(meta, {
    path: 'f',
    created: false,
    diff: '--- a/f\n+++ b/f\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+C\n c',
    added: 2,
    removed: 1,
  })
  const made = await file.write('new', { old: '', new: 'x\n' })
  assert.equal(made.meta?.diff, '--- /dev/null\n+++ b/new\n@@ -0,0 +1,1 @@\n+x')
})

test('TOOL-2 write gives up on a diff that would take long, and writes all the same', async (t) => {
  const lines = (word: string) =>
    Array.from({ length: 60_000 }, (_, n) => `${word} ${(n * 7919) % 60_013}`).join('\n')
  const file = await createWriteFixture(t, { big: lines('a') })
  const { user: before } = process.cpuUsage()
  const result = await file.write('big', { old: '', new: lines('b') })
  assert.equal(result.ok, true)
  assert.ok(process.cpuUsage().user - before < 5_000_000, 'within its limit')
  assert.equal(await file.text('big'), lines('b'))
})

test('SAFE-1 write goes through a link inside, refuses one that leads outside, and tells of hard links', async (t) => {
  const file = await createWriteFixture(t, {
    'real/f': 'a\n',
    l: { link: 'real/f' },
    hard: 'h\n',
    out: { link: '/tmp' },
  })
  assert.equal((await file.write('l', { old: 'a', new: 'b' })).ok, true)
  assert.equal(await file.text('real/f'), 'b\n')
  assert.match((await file.write('out/x', { old: '', new: 'x' })).error ?? '', /outside the workspace/)
  await link(join(file.root, 'hard'), join(file.root, 'other'))
  assert.match(
    (await file.write('hard', { old: 'h', new: 'i' })).output ?? '',
    /1 other name \(hard links\), which keep/,
  )
  assert.equal(await file.text('other'), 'h\n')
})

test('TOOL-2 write does not overwrite what somebody changed since it was read', async (t) => {
  const file = await createWriteFixture(t, { f: 'a\n' })
  const racing = {
    ...file.workspace,
    async read(...args: Parameters<typeof file.workspace.read>) {
      const read = await file.workspace.read(...args)
      await writeFile(join(file.root, 'f'), 'changed by the user\n')
      return read
    },
  }
  const host = createTestPluginHost({ id: 'tool_write', services: { workspace: racing } })
  const execute = await callHandler(toolWrite, host, ['tools', 'write', 'execute'])
  const result = await execute({ path: 'f', edits: [{ old: 'a', new: 'b' }] }, testCall())
  assert.match(JSON.stringify(result), /has changed since it was read/)
  assert.equal(await file.text('f'), 'changed by the user\n')
})

test('TOOL-2 write refuses folders, pipes and binary files', async (t) => {
  const file = await createWriteFixture(t, { d: { folder: true }, bin: Buffer.from([1, 0, 2]) })
  await symlink('nowhere', join(file.root, 'dangling'))
  assert.match((await file.write('d', { old: '', new: 'x' })).error ?? '', /is a folder/)
  assert.match((await file.write('bin', { old: 'x', new: 'y' })).error ?? '', /it is binary/)
  assert.match((await file.write('dangling', { old: '', new: 'x' })).error ?? '', /target does not exist/)
})

test('LED-3 write declines where there is no workspace', async () => {
  const entry = await toolWrite.factory(createTestPluginHost({ id: 'tool_write' }))
  assert.ok(typeof entry === 'object' && entry !== null)
  assert.ok(isDeclined(Reflect.get(Reflect.get(entry, 'tools'), 'write')))
})

test('TOOL-1 write summarises a call as its path', async (t) => {
  const { workspace } = await createWriteFixture(t)
  const host = createTestPluginHost({ id: 'tool_write', services: { workspace } })
  const summarize = await callHandler(toolWrite, host, ['tools', 'write', 'summarize'])
  assert.equal(summarize({ path: 'a', edits: [{ old: 'x', new: 'y' }] }), 'a')
  assert.equal(summarize({ path: 'a', edits: [{}, {}] }), 'a (2 edits)')
})

test('SAFE-3 writing what decides which programs git and amber run needs approval, in any spelling; other files do not', async (t) => {
  const { workspace, root } = await createWriteFixture(t, { '.git': { folder: true }, src: { folder: true } })
  await symlink('.git', join(root, 'inner'))
  const host = createTestPluginHost({ id: 'tool_write', services: { workspace } })
  const asks = await callHandler(toolWrite, host, ['tools', 'write', 'requiresApproval'])
  const scope = await callHandler(toolWrite, host, ['tools', 'write', 'approvalScope'])
  const own = [
    '.git/hooks/x',
    '.GIT/config',
    './sub/../.git/config',
    'a/.git',
    '.amber/plugins/p/i.ts',
    'inner/config',
  ]
  for (const path of [...own, `${root}/.git/config`, '.git /x', '.g\u200bit/x'])
    assert.equal(await asks({ path }), true, path)
  for (const path of ['.gitignore', '.github/ci.yml', 'src/git', 'AGENTS.md', '../x/y'])
    assert.equal(await asks({ path }), false, path)
  assert.deepEqual(await scope({ path: '.git/config' }), {
    scopes: ['.git/config'],
    reason: 'it decides what git or amber runs',
  })
  assert.deepEqual(await scope({ path: 'a' }), { scopes: [] })
})
