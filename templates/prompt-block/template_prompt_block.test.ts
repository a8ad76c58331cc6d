import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestHost } from 'amber-agent/sdk/testing'

test('the prompt block is sent with every request', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  const [block] = await host.promptBlocks()
  assert.equal(block?.name, 'template_prompt_block')
  assert.match(block.text, /three sentences/)
})

test('nothing is left when the plugin is removed', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  await host.assertCleanRemoval()
})
