import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWorkspaceService } from '../../host/workspace/workspace-service.ts'
import toolRead from '../../plugins/tool_read/index.ts'
import { callHandler, createTestPluginHost, testCall } from '../support/plugin-host.ts'
import { createTempTree } from '../support/temp-tree.ts'

async function reader(workspace: string) {
  const services = { workspace: createWorkspaceService({ workspace }) }
  const host = createTestPluginHost({ id: 'tool_read', services })
  const execute = await callHandler(toolRead, host, ['tools', 'read', 'execute'])
  return async (path: string) => {
    const result = await execute({ path }, testCall())
    assert.ok(typeof result === 'object' && result !== null && 'ok' in result)
    const text: unknown = result.ok === true ? Reflect.get(result, 'output') : Reflect.get(result, 'error')
    return { ok: result.ok, text: String(text) }
  }
}

test('E7 a sibling folder whose name begins alike is outside', async (t) => {
  const folder = await createTempTree(t, { 'project/a': 'a', 'project-other/secret': 's' })
  const workspace = createWorkspaceService({ workspace: join(folder, 'project') })
  for (const path of [
    join(folder, 'project-other/secret'),
    '../project-other/secret',
    '../project-other/new',
  ]) {
    const found = await workspace.locate(path)
    assert.equal(found.ok || found.rule, 'outside', path)
  }
})

test('E8 a linked folder leads nowhere outside, neither to read nor to create', async (t) => {
  const folder = await createTempTree(t, {
    'ws/escape': { link: '/etc' },
    'ws/hop': { link: 'escape' },
    'ws/near': { link: '../out' },
    'out/passwd': 'secret',
  })
  const read = await reader(join(folder, 'ws'))
  const workspace = createWorkspaceService({ workspace: join(folder, 'ws') })
  for (const path of ['escape/passwd', 'hop/passwd', 'near/passwd']) {
    const result = await read(path)
    assert.equal(result.ok, false)
    assert.match(result.text, /outside the workspace/)
  }
  for (const path of ['escape/new', 'hop/new', 'near/new', 'near/deep/new', 'escape']) {
    const found = await workspace.locate(path)
    assert.equal(found.ok || found.rule, 'outside', path)
  }
})

test('E11 a file name with a narrow no-break space is found by a plain one, when it is the only one', async (t) => {
  const root = await createTempTree(t, {
    'Screenshot 2024-01-02 at 9.41.00\u202fAM.txt': 'picture',
    'Mes\u00a0documents/cafe\u0301.txt': 'decomposed',
    'two/a\u202fb': '1',
    'two/a\u00a0b': '2',
  })
  const read = await reader(root)
  assert.match((await read('Screenshot 2024-01-02 at 9.41.00 AM.txt')).text, /1: picture/)
  assert.match((await read('Mes documents/caf\u00e9.txt')).text, /1: decomposed/)
  const ambiguous = await read('two/a b')
  assert.equal(ambiguous.ok, false)
  assert.match(ambiguous.text, /does not exist\. Did you mean "two\/a.b" or "two\/a.b"\?/)
})

test('E11 the exact name wins over a lookalike', async (t) => {
  const root = await createTempTree(t, { 'a b': 'plain', 'a\u202fb': 'narrow' })
  const read = await reader(root)
  assert.match((await read('a b')).text, /1: plain/)
  assert.match((await read('a\u202fb')).text, /1: narrow/)
})

test('E15 backslashes in a path are characters, never escapes', async (t) => {
  const root = await createTempTree(t, { 'C:\\Users\\unicorn': 'literal' })
  const read = await reader(root)
  assert.match((await read('C:\\Users\\unicorn')).text, /1: literal/)
  const missing = await read('D:\\u0041')
  assert.match(missing.text, /"D:\\\\u0041" does not exist/)
})

test('E4 bytes that are not UTF-8 are shown replaced, named as such, and untouched on disk', async (t) => {
  const root = await createTempTree(t, { latin: Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]) })
  const read = await reader(root)
  const result = await read('latin')
  assert.match(result.text, /not UTF-8 .* do not write those lines back/)
  assert.match(result.text, /1: caf\ufffd/)
  assert.deepEqual([...(await readFile(join(root, 'latin')))], [0x63, 0x61, 0x66, 0xe9, 0x0a])
})
