import assert from 'node:assert/strict'
import { readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { callTool } from '../../host/agent/call-tool.ts'
import { systemClock } from '../../host/base/clock.ts'
import { startUserPlugins, testHost } from '../support/host.ts'
import { answeringEntry, answeringPlugin, plainTool, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** An entry with a helper module, a JSON file and a text file. */
const composed = `import { definePlugin } from 'amber-agent/sdk'
import { word } from './helper'
import data from './data.json'
import note from './note.txt'
export default definePlugin<any>(() => ({
  tools: { composed: { execute: () => ({ ok: true, output: [word, data.n, note.trim()].join(' ') }) } },
  promptBlocks: {},
}))`

function composedPlugin(parent: string) {
  const plugin = pluginFolder(parent, 'composed')
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('composed')] } })
  plugin.write('index.ts', composed)
  plugin.write('helper.ts', "export const word: string = 'one'")
  plugin.write('data.json', '{ "n": 1 }')
  plugin.write('note.txt', 'first\n')
  return plugin
}

test('SWAP-1 a save swaps that plugin only, with no restart: what is new is live, what was removed is gone', async (t) => {
  const host = testHost(t)
  const plugin = answeringPlugin(host.userPlugins, 'weather', 'one')
  answeringPlugin(host.userPlugins, 'other', 'other')
  await startUserPlugins(host)
  assert.equal(await host.call('weather'), 'one')
  const other = host.ledger.snapshot().tools.get('other')
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('forecast')] } })
  plugin.write('index.ts', answeringEntry('forecast', 'two'))
  const result = await host.plugins.swap('weather')
  assert.ok(result.kind === 'swapped')
  assert.deepEqual(result.changed, [
    { kind: 'tool', name: 'forecast', change: 'added' },
    { kind: 'tool', name: 'weather', change: 'removed' },
  ])
  assert.equal(await host.call('forecast'), 'two')
  assert.equal(await host.call('weather'), 'error: no tool weather')
  assert.equal(host.ledger.snapshot().tools.get('other'), other)
})

const manyWays = [
  ['syntax', 'index.ts', 'export default definePlugin(', 'build'],
  ['an import that leads nowhere', 'index.ts', "import './nowhere'\n", 'build'],
  ['no export', 'index.ts', 'export const nothing = 1', 'load'],
  ['an empty file', 'index.ts', '', 'load'],
  ['another kind of export', 'index.ts', 'export default { tools: {} }', 'load'],
  ['a throw at load', 'index.ts', "throw new Error('at load')", 'load'],
  ['process.exit at load', 'index.ts', 'process.exit(3)', 'load'],
  [
    'a factory that throws',
    'index.ts',
    "import { definePlugin } from 'amber-agent/sdk'\nexport default definePlugin<any>(() => { throw new Error('in factory') })",
    'load',
  ],
  [
    'a factory that rejects',
    'index.ts',
    "import { definePlugin } from 'amber-agent/sdk'\nexport default definePlugin<any>(async () => { throw new Error('rejected') })",
    'load',
  ],
  [
    'a factory that never settles',
    'index.ts',
    "import { definePlugin } from 'amber-agent/sdk'\nexport default definePlugin<any>(() => new Promise(() => {}))",
    'load',
  ],
  ['a top-level await', 'index.ts', 'await Promise.resolve()\nexport default 1', 'build'],
  [
    'a missing handler',
    'index.ts',
    "import { definePlugin } from 'amber-agent/sdk'\nexport default definePlugin<any>(() => ({}))",
    'stage',
  ],
  [
    'a handler too many',
    'index.ts',
    `${answeringEntry('weather', 'x').replace('tools: {', 'tools: { wether: { execute() {} },')}`,
    'stage',
  ],
  [
    'a handler of the wrong kind',
    'index.ts',
    answeringEntry('weather', 'x').replace(/\{ execute.*\}\) \}/, '() => 1'),
    'stage',
  ],
  ['a manifest that is not JSON', 'plugin.json', '{ "id": ', 'validate'],
  ['an empty manifest', 'plugin.json', '', 'validate'],
  [
    'a manifest with a misspelt key',
    'plugin.json',
    '{ "manifestVersion": 1, "id": "weather", "versoin": "1.0.0" }',
    'validate',
  ],
] as const

for (const [what, file, text, phase] of manyWays) {
  test(`SWAP-2 after ${what} the last good version answers, the fault is told in phase ${phase}, and mending it swaps (L16)`, async (t) => {
    const host = testHost(t)
    const plugin = pluginFolder(host.userPlugins, 'weather')
    const manifest = {
      entry: './index.ts',
      activationTimeoutMs: 40,
      capabilities: { tools: [plainTool('weather')] },
    }
    plugin.manifest(manifest)
    plugin.write('index.ts', answeringEntry('weather', 'good'))
    await startUserPlugins(host)
    assert.equal(await host.call('weather'), 'good')
    const before = host.ledger.snapshot()
    plugin.write(file, text)
    const rejected = await host.plugins.swap('weather')
    assert.ok(rejected.kind === 'rejected', `${rejected.kind}`)
    assert.equal(rejected.phase, phase)
    assert.ok(rejected.diagnostics.some((one) => one.severity === 'error' && one.message.length > 5))
    assert.equal(host.ledger.snapshot(), before)
    assert.equal(await host.call('weather'), 'good')
    plugin.manifest(manifest)
    plugin.write('index.ts', answeringEntry('weather', 'mended'))
    assert.equal((await host.plugins.swap('weather')).kind, 'swapped')
    assert.equal(await host.call('weather'), 'mended')
    assert.deepEqual(host.plugins.info('weather')?.diagnostics, [])
  })
}

test('SWAP-2 a name of another plugin refuses the whole swap (LED-6)', async (t) => {
  const host = testHost(t)
  answeringPlugin(host.userPlugins, 'holder', 'held')
  const plugin = answeringPlugin(host.userPlugins, 'weather', 'good')
  await startUserPlugins(host)
  assert.equal(await host.call('weather'), 'good')
  plugin.manifest({
    entry: './index.ts',
    capabilities: { tools: [plainTool('weather'), plainTool('holder')] },
  })
  plugin.write(
    'index.ts',
    answeringEntry('weather', 'new').replace(
      'tools: {',
      'tools: { holder: { execute: () => ({ ok: true }) },',
    ),
  )
  const result = await host.plugins.swap('weather')
  assert.ok(result.kind === 'rejected')
  assert.match(result.diagnostics[0]?.message ?? '', /belongs to plugin holder/)
  assert.equal(await host.call('weather'), 'good')
  assert.equal(await host.call('holder'), 'held')
})

test('SWAP-3 under a constant stream of calls no reader ever misses the tool', async (t) => {
  const host = testHost(t)
  const plugin = answeringPlugin(host.userPlugins, 'weather', '0')
  await startUserPlugins(host)
  let running = true
  const seen = new Set<string>()
  const caller = (async () => {
    while (running) {
      seen.add(await host.call('weather'))
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  for (let version = 1; version <= 30; version += 1) {
    plugin.write('index.ts', answeringEntry('weather', String(version)))
    assert.equal((await host.plugins.swap('weather')).kind, 'swapped')
    assert.equal(await host.call('weather'), String(version))
  }
  running = false
  await caller
  assert.deepEqual(
    [...seen].filter((answer) => !/^\d+$/.test(answer)),
    [],
  )
  assert.ok(seen.size > 10)
})

test('SWAP-4 a call in flight finishes on its version, which is disposed of when it ends', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'slow')
  plugin.manifest({
    entry: './index.ts',
    capabilities: { tools: [plainTool('slow'), plainTool('let_go'), plainTool('past')] },
  })
  const entry = (version: string) => `import { definePlugin } from 'amber-agent/sdk'
const past = globalThis.slowPast ??= []
export default definePlugin<any>((host) => {
  let letGo
  host.signal.addEventListener('abort', () => past.push('abort ${version}'))
  return {
    tools: {
      slow: { execute: () => new Promise((resolve) => { (globalThis.slowCalls ??= []).push(() => resolve({ ok: true, output: '${version}' })) }) },
      let_go: { execute: () => { for (const go of globalThis.slowCalls.splice(0)) go(); return { ok: true } } },
      past: { execute: () => ({ ok: true, output: past.join() }) },
    },
    dispose: (reason) => { past.push('dispose ${version} ' + reason) },
  }
})`
  plugin.write('index.ts', entry('one'))
  await startUserPlugins(host)
  const running = host.call('slow')
  await host.call('past')
  plugin.write('index.ts', entry('two'))
  await host.plugins.swap('slow')
  assert.equal(await host.call('past'), '')
  await host.call('let_go')
  assert.equal(await running, 'one')
  assert.equal(await host.call('past'), 'abort one,dispose one reload')
  Reflect.deleteProperty(globalThis, 'slowPast')
  Reflect.deleteProperty(globalThis, 'slowCalls')
})

test('SWAP-3 a swap while the user thinks about an approval does not cost the call', async (t) => {
  const host = testHost(t)
  const plugin = answeringPlugin(host.userPlugins, 'weather', 'one')
  const manifest = {
    entry: './index.ts',
    capabilities: { tools: [{ ...plainTool('weather'), approval: 'always' }] },
  }
  plugin.manifest(manifest)
  await startUserPlugins(host)
  assert.equal(await host.call('weather'), 'one')
  const answer = await callTool(
    {
      snapshot: () => host.ledger.snapshot(),
      bus: host.bus,
      clock: systemClock,
      mode: () => 'write',
      onAbandoned: () => {},
    },
    { name: 'weather', args: {} },
    {
      approver: async () => {
        plugin.write('index.ts', answeringEntry('weather', 'two'))
        assert.equal((await host.plugins.swap('weather')).kind, 'swapped')
        return 'once'
      },
    },
  )
  assert.equal(answer.error, undefined)
  assert.equal(answer.output, 'two')
})

const counting = (step: number, how: 'factory' | 'late') => `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>((host) => {
  let n = ${how === 'factory' ? '(host.handedOver as any)?.n ?? 0' : '0'}
  const count = () => { n += ${step}; return n + ${how === 'late' ? '((host.handedOver as any)?.n ?? 0)' : '0'} }
  return {
    tools: { counter: { execute: () => ({ ok: true, output: String(count()) }) } },
    dispose: () => ({ handedOver: { n } }),
  }
})`

for (const how of ['factory', 'late'] as const) {
  test(`SWAP-5 what dispose hands over the next version finds, read in the ${how === 'factory' ? 'factory' : 'handler'}`, async (t) => {
    const host = testHost(t)
    const plugin = pluginFolder(host.userPlugins, 'counter')
    plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('counter')] } })
    plugin.write('index.ts', counting(1, how))
    await startUserPlugins(host)
    assert.equal(await host.call('counter'), '1')
    assert.equal(await host.call('counter'), '2')
    plugin.write('index.ts', counting(10, how))
    await host.plugins.swap('counter')
    assert.equal(await host.call('counter'), '12')
  })
}

test('SWAP-5 what did not change keeps its ledger identity and place', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'mixed')
  const capabilities = {
    tools: [plainTool('mixed')],
    promptBlocks: [
      { name: 'first', file: 'a.md' },
      { name: 'second', file: 'b.md' },
    ],
    commands: [{ root: 'mixed', help: 'Old help' }],
  }
  plugin.manifest({ entry: './index.ts', capabilities })
  plugin.write('index.ts', answeringEntry('mixed', 'mixed'))
  plugin.write('a.md', 'a')
  plugin.write('b.md', 'b')
  await startUserPlugins(host)
  await host.plugins.swap('mixed')
  const before = host.ledger.snapshot()
  plugin.manifest({
    entry: './index.ts',
    capabilities: { ...capabilities, commands: [{ root: 'mixed', help: 'New help' }] },
  })
  const result = await host.plugins.swap('mixed')
  assert.ok(result.kind === 'swapped')
  assert.deepEqual(result.changed, [{ kind: 'command', name: 'mixed', change: 'changed' }])
  assert.equal(result.phases.build, 0)
  const after = host.ledger.snapshot()
  assert.equal(after.tools.get('mixed'), before.tools.get('mixed'))
  assert.deepEqual(after.promptBlocks, before.promptBlocks)
  plugin.write('a.md', 'A')
  const again = await host.plugins.swap('mixed')
  assert.ok(again.kind === 'swapped')
  assert.deepEqual(again.changed, [{ kind: 'promptBlock', name: 'first', change: 'changed' }])
  assert.deepEqual(
    host.ledger.snapshot().promptBlocks.map((one) => one.name),
    ['first', 'second'],
  )
  const text = await host.ledger.snapshot().promptBlocks[0]?.render()
  assert.deepEqual(text, { kind: 'value', value: 'A' })
})

test('SWAP-6 a burst of saves gives the newest state, and a save during a swap is not lost', async (t) => {
  const host = testHost(t)
  const plugin = answeringPlugin(host.userPlugins, 'burst', 'start')
  await startUserPlugins(host)
  await host.plugins.swap('burst')
  const results = []
  for (let save = 1; save <= 20; save += 1) {
    plugin.write('index.ts', answeringEntry('burst', `save ${save}`))
    results.push(host.plugins.swap('burst'))
  }
  const settled = await Promise.all(results)
  assert.equal(await host.call('burst'), 'save 20')
  const generations = new Set(settled.flatMap((one) => (one.kind === 'swapped' ? [one.generation] : [])))
  assert.ok(generations.size <= 2, `${generations.size} swaps for one burst`)
  const during = host.plugins.swap('burst', { fresh: true })
  await new Promise((resolve) => setImmediate(resolve))
  plugin.write('index.ts', answeringEntry('burst', 'during'))
  const after = host.plugins.swap('burst')
  await Promise.all([during, after])
  assert.equal(await host.call('burst'), 'during')
})

const saves: readonly (readonly [string, (path: string, text: string) => void])[] = [
  ['in place', (path, text) => writeFileSync(path, text)],
  [
    'by rename over',
    (path, text) => {
      writeFileSync(`${path}.tmp`, text)
      renameSync(`${path}.tmp`, path)
    },
  ],
  [
    'by delete and create',
    (path, text) => {
      rmSync(path)
      writeFileSync(path, text)
    },
  ],
]
for (const [how, save] of saves) {
  for (const [file, text, expected] of [
    ['index.ts', composed.replace("join(' ')", "join('-')"), 'one-1-first'],
    ['helper.ts', "export const word: string = 'two'", 'two 1 first'],
    ['data.json', '{ "n": 2 }', 'one 2 first'],
    ['note.txt', 'second', 'one 1 second'],
  ] as const) {
    test(`SWAP-7 ${file} saved ${how} counts`, async (t) => {
      const host = testHost(t)
      const plugin = composedPlugin(host.userPlugins)
      await startUserPlugins(host)
      assert.equal(await host.call('composed'), 'one 1 first')
      save(join(plugin.folder, file), text)
      assert.equal((await host.plugins.swap('composed')).kind, 'swapped')
      assert.equal(await host.call('composed'), expected)
    })
  }
}

test('SWAP-7 a file outside the folder and an import added later count too (W11)', async (t) => {
  const host = testHost(t)
  const outside = temporaryFolder(t)
  const plugin = composedPlugin(host.userPlugins)
  await startUserPlugins(host)
  plugin.write(
    'index.ts',
    `import { far } from ${JSON.stringify(join(outside, 'far'))}\n${composed.replace('[word', '[far, word')}`,
  )
  const failed = await host.plugins.swap('composed')
  assert.equal(failed.kind, 'rejected')
  assert.ok(host.plugins.inputs('composed').includes(join(outside, 'far')))
  writeFileSync(join(outside, 'far.ts'), "export const far = 'far'")
  assert.equal((await host.plugins.swap('composed')).kind, 'swapped')
  assert.equal(await host.call('composed'), 'far one 1 first')
  assert.ok(host.plugins.inputs('composed').includes(join(outside, 'far.ts')))
  writeFileSync(join(outside, 'far.ts'), "export const far = 'farther'")
  assert.equal((await host.plugins.swap('composed')).kind, 'swapped')
  assert.equal(await host.call('composed'), 'farther one 1 first')
})

test('SWAP-7 a save that changes nothing swaps nothing (W3)', async (t) => {
  const host = testHost(t)
  const plugin = composedPlugin(host.userPlugins)
  await startUserPlugins(host)
  await host.plugins.swap('composed')
  const before = host.ledger.snapshot()
  utimesSync(join(plugin.folder, 'index.ts'), new Date(), new Date())
  plugin.write('helper.ts', "export const word: string = 'one'")
  assert.equal((await host.plugins.swap('composed')).kind, 'unchanged')
  assert.equal(host.ledger.snapshot(), before)
})

test('SWAP-7 a comment changes the file and nothing of the plugin', async (t) => {
  const host = testHost(t)
  const plugin = composedPlugin(host.userPlugins)
  await startUserPlugins(host)
  await host.plugins.swap('composed', { fresh: true })
  const before = host.ledger.snapshot()
  plugin.write('index.ts', `${composed}\n// a comment at the end\n`)
  assert.equal((await host.plugins.swap('composed')).kind, 'unchanged')
  assert.equal(host.ledger.snapshot(), before)
})

test('SWAP-8 a folder that goes takes the plugin with it, one that comes adds it, a new id is both', async (t) => {
  const host = testHost(t)
  await startUserPlugins(host)
  const plugin = answeringPlugin(host.userPlugins, 'guest', 'here')
  assert.equal((await host.plugins.offer(plugin.folder, 'user')).kind, 'swapped')
  assert.equal(await host.call('guest'), 'here')
  plugin.manifest({ id: 'renamed', entry: './index.ts', capabilities: { tools: [plainTool('guest')] } })
  const renamed = await host.plugins.swap('guest')
  assert.deepEqual([renamed.kind, renamed.plugin], ['swapped', 'renamed'])
  assert.deepEqual(
    host.plugins.list().map((one) => one.id),
    ['renamed'],
  )
  assert.equal(await host.call('guest'), 'here')
  plugin.remove()
  assert.deepEqual(await host.plugins.swap('renamed'), { kind: 'removed', plugin: 'renamed' })
  assert.deepEqual(host.plugins.list(), [])
  assert.equal(host.ledger.snapshot().tools.size, 0)
})

test('SWAP-9 no build of a swap is left on disk, and handlers do not multiply (L12, W17)', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'listener')
  plugin.manifest({
    entry: './index.ts',
    activation: 'startup',
    capabilities: { tools: [plainTool('heard')] },
  })
  const entry = (n: number) => `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>((host) => {
  let heard = 0
  host.on('turn.ended', () => { heard += 1 })
  process.on('SIGUSR2', () => {})
  return { tools: { heard: { execute: () => ({ ok: true, output: heard + '/${n}' }) } }, events: { 'turn.ended': () => { heard += 1 } } }
})`
  plugin.write('index.ts', entry(0))
  await startUserPlugins(host)
  const listeners = process.listenerCount('SIGUSR2')
  const builds = readdirSync(join(host.paths.cache, 'builds')).length
  for (let version = 1; version <= 50; version += 1) {
    plugin.write('index.ts', entry(version))
    await host.plugins.swap('listener')
  }
  host.bus.publish('turn.ended', { turn: 't', reason: 'stop', durationMs: 1, toolCalls: 0 })
  assert.equal(await host.call('heard'), '2/50')
  assert.equal(host.bus.count('turn.ended'), 2)
  assert.equal(process.listenerCount('SIGUSR2'), listeners)
  assert.equal(readdirSync(join(host.paths.cache, 'builds')).length, builds)
  assert.deepEqual(readdirSync(plugin.folder).sort(), ['index.ts', 'plugin.json'])
})

test("SWAP-10 a fault names the author's file and line, also in a helper module after a swap (W23)", async (t) => {
  const host = testHost(t)
  const plugin = composedPlugin(host.userPlugins)
  await startUserPlugins(host)
  for (const line of [3, 5]) {
    plugin.write(
      'helper.ts',
      `export const word: string = 'one'\n${'// a comment\n'.repeat(line - 2)}export function fail(): never { throw new Error('on line ${line}') }\n`,
    )
    plugin.write(
      'index.ts',
      composed.replace('import { word }', 'import { word, fail }').replace('output: [', 'output: [fail(), '),
    )
    await host.plugins.swap('composed')
    const outcome = await host.ledger
      .snapshot()
      .tools.get('composed')
      ?.execute(
        {},
        { id: 'c', conversation: 'test', signal: new AbortController().signal, progress: () => {} },
      )
    assert.ok(outcome?.kind === 'fault')
    const { diagnostic } = outcome.fault
    assert.equal(diagnostic.file, join(plugin.folder, 'helper.ts'))
    assert.equal(diagnostic.line, line)
    assert.match(diagnostic.message, new RegExp(`on line ${line}`))
  }
})
