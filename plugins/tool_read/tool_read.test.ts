import assert from 'node:assert/strict'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isDeclined, type WorkspaceService } from 'amber-agent/sdk'
import { createWorkspaceService } from '../../host/workspace/workspace-service.ts'
import { callHandler, createTestPluginHost, testCall } from '../../test/support/plugin-host.ts'
import { createTempTree, type TreeEntry } from '../../test/support/temp-tree.ts'
import { cutBytes } from './cut-bytes.ts'
import toolRead from './index.ts'
import { readTextFile } from './read-file.ts'

const signal = new AbortController().signal

async function workspaceOf(t: TestContext, entries: Readonly<Record<string, TreeEntry>>) {
  const root = await createTempTree(t, entries)
  return { root, workspace: createWorkspaceService({ workspace: root }) }
}

async function outputOf(
  workspace: WorkspaceService,
  args: Parameters<typeof readTextFile>[1],
): Promise<string> {
  const result = await readTextFile(workspace, args, { signal })
  assert.equal(result.ok, true, result.error)
  return result.output ?? ''
}

async function errorOf(
  workspace: WorkspaceService,
  args: Parameters<typeof readTextFile>[1],
): Promise<string> {
  const result = await readTextFile(workspace, args, { signal })
  assert.equal(result.ok, false, result.output)
  return result.error ?? ''
}

function numbered(count: number): string {
  return Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('')
}

test('TOOL-2 read answers numbered lines, the true total and the end of the file', async (t) => {
  const { workspace } = await workspaceOf(t, { 'src/a.ts': 'one\n\nthree\n' })
  const result = await readTextFile(workspace, { path: 'src/a.ts' }, { signal })
  assert.deepEqual(result, {
    ok: true,
    output: 'src/a.ts: lines 1-3 of 3\n1: one\n2: \n3: three\n[end of file: 3 lines]',
    meta: { path: 'src/a.ts', from: 1, to: 3, total: 3 },
  })
})

test('TOOL-2 read shows 200 lines unless told otherwise, and where to go on', async (t) => {
  const { workspace } = await workspaceOf(t, { 'a.txt': numbered(500) })
  const first = await outputOf(workspace, { path: 'a.txt' })
  assert.match(first, /^a\.txt: lines 1-200 of 500\n1: line 1\n/)
  assert.match(first, /\n200: line 200\n\[300 more of 500 lines: go on with offset 201\]$/)
  const next = await outputOf(workspace, { path: 'a.txt', offset: 201, limit: 2000 })
  assert.match(next, /^a\.txt: lines 201-500 of 500\n201: line 201\n/)
  assert.match(next, /\n500: line 500\n\[end of file: 500 lines\]$/)
  assert.match(await outputOf(workspace, { path: 'a.txt', offset: 7, limit: 1 }), /\n7: line 7\n\[493 more/)
})

test('TOOL-2 read says when the offset is beyond the end, and what the end is', async (t) => {
  const { workspace } = await workspaceOf(t, { 'a.txt': 'a\nb', empty: '' })
  const error = 'a.txt has 2 lines: offset 3 is beyond its end. Use an offset from 1 to 2.'
  assert.equal(await errorOf(workspace, { path: 'a.txt', offset: 3 }), error)
  assert.match(
    await outputOf(workspace, { path: 'a.txt' }),
    /\n2: b\n\[end of file: 2 lines, no line feed after the last\]$/,
  )
  assert.equal(
    await outputOf(workspace, { path: 'empty', offset: 9 }),
    'empty is empty.\n[end of file: 0 lines]',
  )
})

test('TOOL-2 read refuses binary files by size and kind', async (t) => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(2000)])
  const { workspace } = await workspaceOf(t, {
    'a.png': png,
    'nul.txt': 'text\0',
    'late.txt': `${'x'.repeat(8192)}\0`,
    'wide.txt': Buffer.from('\ufeffhi', 'utf16le'),
  })
  assert.match(
    await errorOf(workspace, { path: 'a.png' }),
    /^a\.png is binary: PNG image, 2\.0 kB\. Only text/,
  )
  assert.match(await errorOf(workspace, { path: 'nul.txt' }), /unknown binary data, 5 bytes/)
  assert.match(await errorOf(workspace, { path: 'wide.txt' }), /UTF-16 text, little-endian/)
  assert.match(await outputOf(workspace, { path: 'late.txt' }), /\[end of file: 1 line, /)
})

test('TOOL-2 read cuts a long line with a mark and never inside a code point', async (t) => {
  const { workspace } = await workspaceOf(t, {
    exact: `${'x'.repeat(4096)}\nnext\n`,
    crlf: `${'x'.repeat(4096)}\r\nnext\r\n`,
    ascii: `${'x'.repeat(5000)}\n`,
    emoji: `a${'😀'.repeat(2000)}\n`,
  })
  assert.ok((await outputOf(workspace, { path: 'exact' })).includes(`1: ${'x'.repeat(4096)}\n2: next\n`))
  assert.ok((await outputOf(workspace, { path: 'crlf' })).includes(`1: ${'x'.repeat(4096)}\n2: next\n`))
  assert.ok((await outputOf(workspace, { path: 'ascii' })).includes(`1: ${'x'.repeat(4096)}…[+904 bytes]\n`))
  const emoji = await outputOf(workspace, { path: 'emoji' })
  assert.ok(emoji.includes(`1: a${'😀'.repeat(1023)}…[+3908 bytes]\n`))
  assert.ok(!emoji.includes('\ufffd'))
})

test('TOOL-8 read keeps below the cap of a result and says where to go on', async (t) => {
  const { workspace } = await workspaceOf(t, { wide: `${'y'.repeat(4000)}\n`.repeat(100) })
  const output = await outputOf(workspace, { path: 'wide', limit: 2000 })
  assert.ok(Buffer.byteLength(output) < 65_536)
  assert.match(output, /\n\[86 more of 100 lines: go on with offset 15\]$/)
})

test('TOOL-2 read names line ends and a byte order mark, and shows neither', async (t) => {
  const { workspace } = await workspaceOf(t, { dos: '\ufeffa\r\nb\r\n' })
  assert.equal(
    await outputOf(workspace, { path: 'dos' }),
    'dos: lines 1-2 of 2; it starts with a byte order mark; its lines end in CRLF\n1: a\n2: b\n[end of file: 2 lines]',
  )
})

test('TOOL-2 read answers a folder with its entries', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`many/f${at}`, '']))
  const { workspace } = await workspaceOf(t, {
    'd/b.ts': '',
    'd/a': { folder: true },
    none: { folder: true },
    ...many,
  })
  assert.equal(
    await errorOf(workspace, { path: 'd' }),
    'd is a folder, not a file. Read one of its entries:\na/\nb.ts',
  )
  assert.equal(await errorOf(workspace, { path: 'none' }), 'none is an empty folder, not a file.')
  assert.match(await errorOf(workspace, { path: 'many' }), /\n\[and 20 more\]$/)
  assert.match(
    await errorOf(workspace, { path: 'd/c.ts' }),
    /"d\/c\.ts" does not exist\. Did you mean "d\/b\.ts"\?/,
  )
})

test('TOOL-2 read goes through a huge file piece by piece, with its true total', async (t) => {
  const { root, workspace } = await workspaceOf(t, { huge: 'first\n' })
  await truncate(join(root, 'huge'), 200_000_000)
  await writeFile(join(root, 'lines'), numbered(400_000))
  const seen: number[] = []
  const counting: WorkspaceService = {
    ...workspace,
    async read(path, options) {
      const part = await workspace.read(path, options)
      if (part.ok) seen.push(part.bytes.length)
      return part
    },
  }
  const output = await outputOf(counting, { path: 'lines', offset: 399_999 })
  assert.match(output, /^lines: lines 399999-400000 of 400000\n399999: line 399999\n400000: line 400000\n/)
  assert.ok(seen.length > 1 && Math.max(...seen) <= 1024 * 1024, 'in pieces of at most 1 MiB')
  seen.length = 0
  assert.match(await errorOf(counting, { path: 'huge' }), /binary: unknown binary data, 200\.0 MB/)
  assert.deepEqual(seen, [1024 * 1024], 'what is refused is not read to its end')
})

test('TOOL-7 a cancelled read of a huge file ends at the next piece', async (t) => {
  const { workspace } = await workspaceOf(t, { lines: numbered(400_000) })
  const result = await readTextFile(workspace, { path: 'lines' }, { signal: AbortSignal.abort() })
  assert.deepEqual(result, { ok: false, error: 'Reading was cancelled.' })
})

test('TOOL-3 a file that is replaced while it is read is an error, not a mixture', async (t) => {
  const { root, workspace } = await workspaceOf(t, { log: numbered(400_000) })
  const shrinking: WorkspaceService = {
    ...workspace,
    async read(path, options) {
      const part = await workspace.read(path, options)
      await truncate(join(root, 'log'), 10)
      return part
    },
  }
  assert.match(await errorOf(shrinking, { path: 'log' }), /replaced or cut short while it was read/)
})

test('LED-3 read declines where there is no workspace', async () => {
  const entry = await toolRead.factory(createTestPluginHost({ id: 'tool_read' }))
  assert.ok(typeof entry === 'object' && entry !== null)
  assert.ok(isDeclined(Reflect.get(Reflect.get(entry, 'tools'), 'read')))
})

test('TOOL-1 read summarises a call as path and lines', async (t) => {
  const { workspace } = await workspaceOf(t, { a: 'a' })
  const host = createTestPluginHost({ id: 'tool_read', services: { workspace } })
  const summarize = await callHandler(toolRead, host, ['tools', 'read', 'summarize'])
  assert.equal(summarize({ path: 'src/a.ts', limit: 86 }), 'src/a.ts:1-86')
  assert.equal(summarize({ path: 'src/a.ts', offset: 201 }), 'src/a.ts:201-400')
  const execute = await callHandler(toolRead, host, ['tools', 'read', 'execute'])
  assert.deepEqual(
    await execute({ path: 'a' }, testCall()),
    await readTextFile(workspace, { path: 'a' }, { signal }),
  )
})

test('TOOL-8 bytes are cut between code points, and anywhere in what is not UTF-8', () => {
  const text = Buffer.from('aé北😀')
  const cuts = Array.from({ length: text.length + 1 }, (_, at) => Buffer.from(cutBytes(text, at)).toString())
  assert.deepEqual(cuts, ['', 'a', 'a', 'aé', 'aé', 'aé', 'aé北', 'aé北', 'aé北', 'aé北', 'aé北😀'])
  assert.equal(cutBytes(Buffer.alloc(10, 0x80), 5).length, 5)
})
