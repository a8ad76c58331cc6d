import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestHost } from 'amber-agent/sdk/testing'

test('the allowance reads the quota, and invents none', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  const known = await host.allowance('template_allowance', { get: () => ({ percent: 40 }) })
  assert.deepEqual(known?.windows, [{ label: '5h', percentUsed: 40 }])
  assert.equal(await host.allowance('template_allowance', { get: () => undefined }), undefined)
})

test('nothing is left when the plugin is removed', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  await host.assertCleanRemoval()
})
