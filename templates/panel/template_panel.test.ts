import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestHost } from 'amber-agent/sdk/testing'

test('the panel counts, and leaves other keys alone', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  const panel = host.panel('template_panel')
  assert.equal(panel.press('+'), true)
  assert.equal(panel.press('x'), false)
  assert.deepEqual(panel.lines(3), ['Pressed + 1 times', '---'])
})

test('nothing is left when the plugin is removed', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  await host.assertCleanRemoval()
})
