import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestHost } from 'amber-agent/sdk/testing'

test('the provider is there, with its endpoint and its model', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  const [preset] = host.providers()
  assert.deepEqual(preset, {
    name: 'template_provider',
    flavor: 'openai',
    apiBase: 'https://api.template-provider.example/v1',
    defaultModel: 'template-provider-1',
    requiresKey: true,
  })
})

test('nothing is left when the plugin is removed', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  await host.assertCleanRemoval()
})
