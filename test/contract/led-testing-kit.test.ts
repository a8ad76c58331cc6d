import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { assertSame } from '../../host/testing/clean-removal.ts'
import { createTestHost } from '../../host/testing/index.ts'
import { atEnd } from '../support/at-end.ts'
import { answeringEntry, answeringPlugin, plainTool, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

function stand(t: TestContext, options: Parameters<typeof createTestHost>[0] = {}) {
  const host = createTestHost(options)
  atEnd(t, () => host.dispose())
  return { host, parent: temporaryFolder(t) }
}

test('LED-4 the testing kit installs by folder, file or URL, calls, swaps, and asserts a clean removal', async (t) => {
  const { host, parent } = stand(t)
  const plugin = answeringPlugin(parent, 'answers', 'first')
  const file = join(plugin.folder, 'deeper', 'answers.test.ts')
  plugin.write('deeper/answers.test.ts', '')
  const installed = await host.install(pathToFileURL(file).href)
  assert.deepEqual(installed, { id: 'answers', version: '0.1.0', state: 'active', generation: 1 })
  assert.deepEqual(await host.callTool('answers'), { ok: true, output: 'first' })
  plugin.write('index.ts', answeringEntry('answers', 'second'))
  const swap = await host.swap()
  assert.equal(swap.kind, 'swapped')
  assert.deepEqual(await host.callTool('answers'), { ok: true, output: 'second' })
  await host.assertCleanRemoval()
  assert.deepEqual(host.ledger(), [])
  assert.match((await host.callTool('answers')).error ?? '', /no tool answers/)
})

test('LED-4 a fault in dispose fails the clean removal', async (t) => {
  const { host, parent } = stand(t)
  const plugin = pluginFolder(parent, 'leaves')
  plugin.manifest({ entry: './index.ts' })
  plugin.write(
    'index.ts',
    `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>(() => ({ dispose: () => { throw new Error('cannot let go') } }))
`,
  )
  await host.install(plugin.folder)
  await assert.rejects(host.assertCleanRemoval(), /cannot let go/)
})

test('LED-4 what is left of a removed plugin is named', () => {
  const clean = { registries: { panels: new Map() }, handlers: { 'turn.ended': 0 }, timers: 0 }
  assertSame('leaves', clean, structuredClone(clean))
  const left = { registries: { panels: new Map([['left', {}]]) }, handlers: { 'turn.ended': 1 }, timers: 1 }
  assert.throws(
    () => assertSame('leaves', clean, left),
    /leaves.*registry panels, handlers of turn\.ended, timers/,
  )
})

test('MAN-1 installing a broken plugin rejects with every finding over its line', async (t) => {
  const { host, parent } = stand(t)
  const plugin = pluginFolder(parent, 'broken')
  plugin.manifest({ versoin: '1.0.0', category: 'Not One Word' })
  await assert.rejects(
    host.install(plugin.folder),
    (error) => error instanceof Error && /versoin[\s\S]*\^\^\^[\s\S]*one lower-case word/.test(error.message),
  )
})

test('EVT-1 the kit moves the time of host.every, and tells events', async (t) => {
  const { host, parent } = stand(t, { now: 1_000 })
  const plugin = pluginFolder(parent, 'ticks')
  plugin.manifest({
    entry: './index.ts',
    activation: 'startup',
    capabilities: { statusSegments: [{ name: 'ticks' }] },
  })
  plugin.write(
    'index.ts',
    `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>((host) => {
  let ticks = 0
  let turns = 0
  host.every(1_000, () => { ticks += 1 })
  host.on('turn.ended', () => { turns += 1 })
  return {
    statusSegments: { ticks: ({ now }) => ({ text: \`\${ticks} \${turns} \${now}\`, tone: 'dim' }) },
    events: { 'turn.started': ({ prompt }) => (prompt === 'stop' ? { cancel: 'not now' } : { prompt: 'changed' }) },
  }
})
`,
  )
  await host.install(plugin.folder)
  host.clock.advance(3_500)
  host.publish('turn.ended', { turn: '1', reason: 'stop', durationMs: 1, toolCalls: 0 })
  assert.deepEqual(host.renderStatus(), [{ name: 'ticks', edge: 'left', text: '3 1 4500', tone: 'dim' }])
  assert.deepEqual(await host.intercept('turn.started', { turn: '2', prompt: 'go' }), {
    vetoed: false,
    event: { turn: '2', prompt: 'changed' },
  })
  const stopped = await host.intercept('turn.started', { turn: '3', prompt: 'stop' })
  assert.equal(stopped.vetoed && stopped.reason, 'not now')
  await host.assertCleanRemoval()
  assert.equal(host.clock.pending(), 0)
})

test('TOOL-6 a call that needs approval is denied unless the test approves it', async (t) => {
  const { host, parent } = stand(t, { answers: { confirm: () => true } })
  const plugin = answeringPlugin(parent, 'asks', 'done')
  plugin.manifest({
    entry: './index.ts',
    capabilities: { tools: [{ ...plainTool('asks'), approval: 'always' }] },
  })
  await host.install(plugin.folder)
  assert.equal((await host.callTool('asks')).ok, false)
  assert.equal((await host.callTool('asks', {}, { approve: false })).ok, false)
  assert.deepEqual(await host.callTool('asks', {}, { approve: true }), { ok: true, output: 'done' })
  assert.match((await host.callTool('asks', { extra: 1 }, { approve: true })).error ?? '', /extra/)
})
