import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { McpServer } from '../../sdk/index.ts'
import { readInventory } from './inventory.ts'
import { createKnown } from './known.ts'
import { createLines } from './lines.ts'
import { createNoise } from './noise.ts'
import { callResult } from './result-text.ts'
import { serverNames } from './tool-names.ts'

const SERVER: McpServer = {
  name: 'one',
  type: 'stdio',
  command: 'one',
  args: [],
  env: { TOKEN: 'secret-token' },
  cwd: undefined,
  url: '',
  headers: {},
  timeoutMs: 1,
  disabled: false,
  place: 'one',
  variables: {},
  problem: undefined,
}

test('M6 names: plain where they can be, 64 legal characters at most, and no two tools meet in one', () => {
  const servers = ['a', 'a_b', 'a.b', 'a b', 'x'.repeat(80), `${'x'.repeat(80)}y`]
  const tools = ['c', 'b_c', 'read.file', 'read file', 'y'.repeat(80), `${'y'.repeat(80)}z`]
  const names = servers.flatMap((server) => tools.map((tool) => serverNames(server, servers).toolName(tool)))
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(name, /^mcp_[a-zA-Z0-9_-]{1,60}$/)
  assert.equal(serverNames('git', ['git', 'web']).toolName('read_file'), 'mcp_git_read_file')
  assert.deepEqual(
    serverNames('a_b', servers).toolName('c'),
    serverNames('a_b', [...servers].reverse()).toolName('c'),
    'in whatever order they come',
  )
})

test('M1 lines: cut anywhere, ended or not, and an endless one is dropped', () => {
  const seen: string[] = []
  const lines = createLines((line) => seen.push(line), 10)
  const text = Buffer.from('größe\r\n\nsecond\nthis one is far too long to be kept\nthird\nlast')
  for (const byte of text) lines.add(Buffer.from([byte]))
  lines.end()
  assert.deepEqual(seen, ['größe', 'second', 'this one is', 'third', 'last'])
})

test('M1 noise: the last lines are kept, the log is not flooded', () => {
  const logged: string[] = []
  const noise = createNoise((line) => logged.push(line))
  for (let at = 0; at < 1000; at += 1) noise.add(`line ${at}`)
  assert.equal(logged.length, 200)
  assert.equal(noise.lines().at(-1), 'line 999')
  assert.equal(noise.lines().length, 30)
})

test('MCP-1 an inventory is believed piece by piece', () => {
  const huge = { type: 'object', properties: { a: { description: 'x'.repeat(200_000) } } }
  const inventory = readInventory({
    tools: [
      null,
      5,
      { name: 7 },
      { name: 'list', inputSchema: { type: 'array' } },
      { name: 'huge', inputSchema: huge },
      { name: 'good', title: 'Good', inputSchema: { type: 'object' } },
      { name: 'bare' },
    ],
    prompts: 'none',
    resources: [{ uriTemplate: 'a://{b}' }, {}],
  })
  assert.deepEqual(
    inventory.tools.map(({ name, description }) => [name, description]),
    [
      ['good', 'Good'],
      ['bare', ''],
    ],
  )
  assert.deepEqual(inventory.prompts, [])
  assert.deepEqual(inventory.resources, [{ uri: 'a://{b}', name: '', description: '' }])
  for (const nonsense of [undefined, null, 'x', []]) assert.deepEqual(readInventory(nonsense).tools, [])
})

test('MCP-1 what is known is kept by the server as it is reached, names no secret, and a broken file is nothing', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'amber-known-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const known = createKnown(folder)
  const inventory = readInventory({ tools: [{ name: 'good' }] })
  assert.equal(await known.recall(SERVER), undefined)
  await known.remember(SERVER, { kind: 'inventory', inventory })
  assert.deepEqual(await known.recall(SERVER), { kind: 'inventory', inventory })
  assert.equal(await known.recall({ ...SERVER, args: ['other'] }), undefined)
  const [name = ''] = await readdir(folder)
  assert.doesNotMatch(name, /one|secret/)
  await writeFile(join(folder, name), '{"kind": "inventory", "inventory": [')
  assert.equal(await known.recall(SERVER), undefined)
  await known.keepOnly([])
  assert.deepEqual(await readdir(folder), [])
})

test('MCP-1 results: structured content where there is no other, errors as errors, nothing as nothing', () => {
  assert.deepEqual(callResult({ content: [], structuredContent: { a: 1 } }), { ok: true, output: '{"a":1}' })
  assert.deepEqual(callResult({ content: [] }), { ok: true, output: '(the server answered nothing)' })
  assert.equal(callResult({ isError: true }).ok, false)
  const embedded = { type: 'resource', resource: { uri: 'a://b', text: 'inside' } }
  assert.deepEqual(callResult({ content: [embedded] }), { ok: true, output: '[resource a://b]\ninside' })
})
