import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestHost } from 'amber-agent/sdk/testing'

test('the status segment shows the tool that runs, and nothing when none does', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  const shown = { name: 'template_status_segment', edge: 'left', text: 'running read', tone: 'accent' }
  assert.deepEqual(host.renderStatus({ runningTool: 'read' }), [shown])
  assert.deepEqual(host.renderStatus(), [])
})

test('nothing is left when the plugin is removed', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  await host.assertCleanRemoval()
})
