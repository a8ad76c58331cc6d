import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestHost } from 'amber-agent/sdk/testing'

test('the skill can be read', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  assert.match(await host.readSkill('template-skill'), /One idea a note/)
})

test('nothing is left when the plugin is removed', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  await host.assertCleanRemoval()
})
