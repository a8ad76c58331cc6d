import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTestHost } from 'amber-agent/sdk/testing'

test('the search backend finds the files of a folder by name', async (t) => {
  const host = createTestHost({ workspace: fileURLToPath(new URL('.', import.meta.url)) })
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  const answer = await host.search('template_search_backend', 'plugin.json')
  const hits = [{ path: 'plugin.json', line: 1, text: 'plugin.json' }]
  assert.deepEqual(answer, { ok: true, hits, truncated: false })
})

test('nothing is left when the plugin is removed', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  await host.assertCleanRemoval()
})
