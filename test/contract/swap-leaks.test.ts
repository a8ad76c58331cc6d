import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createTestHost } from '../../host/testing/index.ts'
import { atEnd } from '../support/at-end.ts'
import { answeringPlugin, plainTool, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A plugin that runs some lines when it starts, with `state` in reach. */
async function holding(t: TestContext, lines: string) {
  const plugin = pluginFolder(temporaryFolder(t), 'holding')
  plugin.manifest({
    entry: './index.ts',
    activation: 'startup',
    capabilities: { statusSegments: [{ name: 'holding' }] },
  })
  plugin.write(
    'index.ts',
    `import { definePlugin } from 'amber-agent/sdk'
import * as net from 'node:net'
import { channel } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
let state = 0
export default definePlugin<any>((host) => {
  ${lines}
  return { statusSegments: { holding: () => ({ text: String(state), tone: 'dim' }) } }
})
`,
  )
  const host = createTestHost()
  atEnd(t, () => host.dispose())
  await host.install(plugin.folder)
  return host
}

const KEPT: Readonly<Record<string, readonly [lines: string, named: RegExp]>> = {
  'a global': ['globalThis.amberTestLeak ??= () => state', /the global amberTestLeak/],
  'a raw timer': [
    'globalThis.amberTestTimer ??= globalThis.setInterval(() => { state += 1 }, 60_000)',
    /a timer \(Timeout\)/,
  ],
  'a listener on what all share': [
    "channel('amber-test').subscribe(() => { state += 1 })",
    /stays in memory/,
  ],
}

for (const [what, [lines, named]] of Object.entries(KEPT)) {
  test(`SWAP-9 a version that ${what} keeps in memory is found, and what keeps it is named`, async (t) => {
    atEnd(t, () => {
      clearInterval(Reflect.get(globalThis, 'amberTestTimer'))
      Reflect.deleteProperty(globalThis, 'amberTestTimer')
      Reflect.deleteProperty(globalThis, 'amberTestLeak')
    })
    const host = await holding(t, lines)
    await assert.rejects(
      host.assertNoLeak(),
      (error) =>
        error instanceof assert.AssertionError && named.test(error.message) && /holding/.test(error.message),
    )
  })
}

const LET_GO: Readonly<Record<string, string>> = {
  'timers of its own': 'setInterval(() => { state += 1 }, 60_000)',
  'subscriptions and host timers':
    "host.on('turn.ended', () => { state += 1 }); host.every(1000, () => { state += 1 })",
  'listeners of the process': "process.on('SIGUSR2', () => { state += 1 })",
  'a server': "createServer(() => { state += 1 }).listen(0, '127.0.0.1')",
}

for (const [what, lines] of Object.entries(LET_GO)) {
  test(`SWAP-9 a version with ${what} can be collected once it is swapped out`, async (t) => {
    const host = await holding(t, lines)
    await host.assertNoLeak()
    await host.assertCleanRemoval()
  })
}

test('SWAP-9 a plugin that was called, and one that is data alone, leave nothing in memory', async (t) => {
  const host = createTestHost()
  atEnd(t, () => host.dispose())
  const parent = temporaryFolder(t)
  await host.install(answeringPlugin(parent, 'answers', 'yes').folder)
  const data = pluginFolder(parent, 'data')
  data.manifest()
  await host.install(data.folder)
  assert.equal((await host.callTool('answers')).output, 'yes')
  await host.assertNoLeak()
  assert.equal((await host.callTool('answers')).output, 'yes')
  await host.assertCleanRemoval()
})

test('SWAP-9 data that outlives the code beside it keeps none of it', async (t) => {
  const host = createTestHost()
  atEnd(t, () => host.dispose())
  const plugin = answeringPlugin(temporaryFolder(t), 'mixed', 'yes')
  plugin.write('doc.md', 'Read this.')
  plugin.write('SKILL.md', '---\nname: mixed-notes\ndescription: Notes.\n---\nNotes.\n')
  plugin.manifest({
    entry: './index.ts',
    capabilities: {
      tools: [plainTool('mixed')],
      promptBlocks: [{ name: 'mixed', file: 'doc.md' }],
      skills: [{ name: 'mixed-notes', description: 'Notes.', file: 'SKILL.md' }],
      providers: [
        { flavor: 'openai', presets: [{ name: 'mixed', apiBase: 'http://127.0.0.1:9', defaultModel: 'm' }] },
      ],
    },
  })
  await host.install(plugin.folder)
  for (const _ of [1, 2, 3]) await host.assertNoLeak()
})
