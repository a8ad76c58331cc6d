import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestHost } from 'amber-agent/sdk/testing'

test('the wallet reads the balance, and invents none', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  const known = await host.balance('template_wallet', { get: () => ({ balance: 4.5 }) })
  assert.deepEqual(known, [{ amount: 4.5, currency: 'USD' }])
  assert.equal(await host.balance('template_wallet', { get: () => undefined }), undefined)
})

test('nothing is left when the plugin is removed', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  await host.assertCleanRemoval()
})
