import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestHost } from 'amber-agent/sdk/testing'

test('the tools look into the workspace, and not beyond', async (t) => {
  const workspace = mkdtempSync(join(tmpdir(), 'workspace-'))
  t.after(() => rmSync(workspace, { recursive: true }))
  writeFileSync(join(workspace, 'poem.txt'), 'one\ntwo\nthree')
  const host = createTestHost({ workspace })
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  assert.deepEqual(await host.callTool('template_tool_group_list', {}), { ok: true, output: 'poem.txt' })
  const counted = await host.callTool('template_tool_group_count', { file: 'poem.txt' })
  assert.deepEqual(counted, { ok: true, output: '3 lines' })
  const outside = await host.callTool('template_tool_group_count', { file: '../secret.txt' })
  assert.equal(outside.ok, false)
})

test('without the service both are declined, and the plugin stays', async (t) => {
  const host = createTestHost({ services: { workspace: undefined } })
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  const entries = host.ledger().filter(({ kind }) => kind === 'tool')
  assert.deepEqual(
    entries.map(({ status }) => status),
    ['declined'],
  )
})

test('nothing is left when the plugin is removed', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  await host.assertCleanRemoval()
})
