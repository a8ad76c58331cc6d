import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestHost } from 'amber-agent/sdk/testing'

test('the tool counts words', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  const counted = await host.callTool('template_tool', { text: 'one two  three' })
  assert.deepEqual(counted, { ok: true, output: '3 words' })
})

test('the tool answers an error when there is nothing to count', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  const { ok, error } = await host.callTool('template_tool', { text: ' ' })
  assert.deepEqual([ok, error], [false, 'The text has no words. Give one that has.'])
})

test('nothing is left when the plugin is removed', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  await host.assertCleanRemoval()
})
