import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startUserPlugins, testHost } from '../support/host.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { pluginFolder } from '../support/plugin-folder.ts'

test('PAN-3 MAN-3 the time of loading an entry is known once it is loaded, and not before', async (t) => {
  const clock = createManualClock()
  Object.assign(globalThis, { amberTestTick: () => clock.advance(7) })
  const host = testHost(t, { clock })
  const plugin = pluginFolder(host.userPlugins, 'timed')
  plugin.manifest({
    entry: './index.ts',
    capabilities: {
      tools: [{ name: 'timed', description: 'Answers.', parameters: { type: 'object', properties: {} } }],
    },
  })
  plugin.write(
    'index.ts',
    `import { definePlugin } from 'amber-agent/sdk'
globalThis.amberTestTick()
export default definePlugin<any>(() => ({ tools: { timed: { execute: () => ({ ok: true, output: 'yes' }) } } }))
`,
  )
  await startUserPlugins(host)
  assert.equal(host.plugins.info('timed')?.loadMs, undefined)
  assert.equal(await host.call('timed'), 'yes')
  assert.equal(host.plugins.info('timed')?.loadMs, 7)
  Reflect.deleteProperty(globalThis, 'amberTestTick')
})
