import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import test from 'node:test'
import { startUserPlugins, testHost } from '../support/host.ts'
import { answeringEntry, answeringPlugin, plainTool, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const entryOf = (body: string) =>
  `import { decline, definePlugin } from 'amber-agent/sdk'\nexport default definePlugin<any>((host) => {\n${body}\n})`

test('L4 a given plugin that is not there is reported, and everything else starts', async (t) => {
  const host = testHost(t)
  answeringPlugin(host.userPlugins, 'good', 'good')
  const missing = join(temporaryFolder(t), 'missing')
  const diagnostics = await host.plugins.start(
    { parents: [{ folder: host.userPlugins, source: 'user' }], given: [missing] },
    { activate: true },
  )
  assert.match(diagnostics[0]?.message ?? '', /there is no folder .*missing/)
  assert.equal(await host.call('good'), 'good')
})

for (const [what, answer] of [
  ['null', 'return null'],
  ['nothing', ''],
  ['an empty object', 'return {}'],
  ['hooks alone', "host.on('turn.ended', () => {}); return { dispose() {} }"],
] as const) {
  test(`L5 a factory that returns ${what} is a plugin that contributes nothing`, async (t) => {
    const host = testHost(t)
    const plugin = pluginFolder(host.userPlugins, 'minimal')
    plugin.manifest({ entry: './index.ts', activation: 'startup' })
    plugin.write('index.ts', entryOf(answer))
    await startUserPlugins(host)
    const info = host.plugins.info('minimal')
    assert.deepEqual([info?.state, info?.diagnostics], ['active', []])
    assert.deepEqual([...host.ledger.snapshot().providers.presets], [])
  })
}

test('L7 two folders with one id: one wins by rule, the other is reported, nothing else suffers', async (t) => {
  const host = testHost(t)
  const first = answeringPlugin(host.userPlugins, 'twin', 'first')
  mkdirSync(join(host.userPlugins, 'zz'), { recursive: true })
  const second = answeringPlugin(host.userPlugins, 'zz', 'second')
  second.manifest({ id: 'twin', entry: './index.ts', capabilities: { tools: [plainTool('zz')] } })
  answeringPlugin(host.userPlugins, 'other', 'other')
  const diagnostics = await startUserPlugins(host)
  assert.equal(host.plugins.list().filter((one) => one.id === 'twin').length, 1)
  assert.ok(
    diagnostics.some(
      (one) => one.message.includes('the id "twin" is already that of') && one.file.startsWith(second.folder),
    ),
  )
  assert.equal(host.plugins.info('twin')?.path, first.folder)
  assert.equal(await host.call('other'), 'other')
})

test('L11 L18 a folder that is given and also found counts once, as given', async (t) => {
  const host = testHost(t)
  const plugin = answeringPlugin(host.userPlugins, 'twice', 'once')
  const diagnostics = await host.plugins.start(
    { parents: [{ folder: host.userPlugins, source: 'user' }], given: [plugin.folder, plugin.folder] },
    { activate: true },
  )
  assert.deepEqual(diagnostics, [])
  assert.deepEqual(
    host.plugins.list().map((one) => [one.id, one.source]),
    [['twice', 'flag']],
  )
  assert.equal(await host.call('twice'), 'once')
})

test('L17 a tool name that is taken follows one rule: the holder stays, the newcomer fails and says so', async (t) => {
  const host = testHost(t)
  const bundled = temporaryFolder(t)
  answeringPlugin(bundled, 'read', 'the built-in')
  const thief = pluginFolder(host.userPlugins, 'aaa')
  thief.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('read')] } })
  thief.write('index.ts', answeringEntry('read', 'stolen'))
  await host.plugins.start(
    {
      parents: [
        { folder: bundled, source: 'bundled' },
        { folder: host.userPlugins, source: 'user' },
      ],
      given: [],
    },
    { activate: true },
  )
  assert.equal(await host.call('read'), 'the built-in')
  assert.match(host.plugins.info('aaa')?.reason ?? '', /the tool "read" belongs to plugin read/)
})

for (const name of ['a folder', 'hash#tag', 'per%20cent', 'ünïcode-北', "quote'd"]) {
  test(`L24 a plugin in a folder called ${name} loads`, async (t) => {
    const host = testHost(t)
    const plugin = pluginFolder(host.userPlugins, name)
    plugin.manifest({ id: 'odd', entry: './index.ts', capabilities: { tools: [plainTool('odd')] } })
    plugin.write(
      'index.ts',
      `${answeringEntry('odd', 'x').replace('"x"', 'here + import.meta.url')}import { here } from './sub dir/#helper'\n`,
    )
    plugin.write('sub dir/#helper.ts', "export const here = 'here '")
    await startUserPlugins(host)
    const answer = await host.call('odd')
    assert.match(answer, /^here file:\/\//)
    assert.ok(decodeURIComponent(answer).includes(`/${name}/`), answer)
  })
}

test('L26 L27 the first plugin, added to a running host that had none, works in full from its start event', async (t) => {
  const host = testHost(t)
  await startUserPlugins(host)
  const plugin = pluginFolder(host.userPlugins, 'first')
  plugin.manifest({
    entry: './index.ts',
    activation: 'startup',
    capabilities: { panels: [{ id: 'first', title: 'First' }], statusSegments: [{ name: 'first' }] },
  })
  plugin.write(
    'index.ts',
    entryOf(`
  let loaded = 'not yet'
  return {
    panels: { first: { lines: () => [loaded] } },
    statusSegments: { first: () => ({ text: loaded, tone: 'dim' }) },
    events: { 'plugin.loaded': (event) => { loaded = 'loaded ' + event.plugin } },
  }`),
  )
  assert.equal((await host.plugins.offer(plugin.folder, 'user')).kind, 'swapped')
  assert.deepEqual(host.ledger.snapshot().panels.get('first')?.lines(80), {
    kind: 'value',
    value: ['loaded first'],
  })
})

test('L28 reloaded twice, a handler still hears what it heard; a broken newest state keeps the old', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'matcher')
  plugin.manifest({
    entry: './index.ts',
    activation: 'startup',
    capabilities: { tools: [plainTool('heard')] },
  })
  const entry = entryOf(`
  const heard = []
  return {
    tools: { heard: { execute: () => ({ ok: true, output: heard.join() }) } },
    events: { 'tool.completed': (event) => { if (event.name === 'wanted') heard.push(event.name) } },
  }`)
  plugin.write('index.ts', entry)
  await startUserPlugins(host)
  await host.plugins.swap('matcher', { fresh: true })
  await host.plugins.swap('matcher', { fresh: true })
  plugin.write('index.ts', `${entry}}`)
  assert.equal((await host.plugins.swap('matcher')).kind, 'rejected')
  for (const name of ['wanted', 'other']) {
    host.bus.publish('tool.completed', { id: '1', name, plugin: undefined, ok: true, durationMs: 1 })
  }
  assert.equal(await host.call('heard'), 'wanted')
})

test('W15 a change of the manifest alone is live without evaluating anything', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'counter')
  const manifest = { entry: './index.ts', capabilities: { tools: [plainTool('counter')] } }
  plugin.manifest(manifest)
  plugin.write(
    'index.ts',
    entryOf(`let calls = 0
  return { tools: { counter: { execute: () => ({ ok: true, output: String(calls += 1) }) } } }`),
  )
  await startUserPlugins(host)
  assert.equal(await host.call('counter'), '1')
  plugin.manifest({
    ...manifest,
    capabilities: { tools: [{ ...plainTool('counter'), description: 'Counts on.' }] },
  })
  const result = await host.plugins.swap('counter')
  assert.deepEqual(result.kind === 'swapped' && result.changed, [
    { kind: 'tool', name: 'counter', change: 'changed' },
  ])
  assert.equal(host.ledger.snapshot().tools.get('counter')?.description, 'Counts on.')
  assert.equal(await host.call('counter'), '2')
})

test('W18 the server of an old version is closed when the new one is live, so that its port is free', async (t) => {
  const host = testHost(t)
  const port = await freePort()
  const plugin = pluginFolder(host.userPlugins, 'server')
  plugin.manifest({
    entry: './index.ts',
    activation: 'startup',
    capabilities: { tools: [plainTool('listen')] },
  })
  const entry = (version: number) => `import { createServer } from 'node:http'
${entryOf(`return { tools: { listen: { execute: () => new Promise((resolve) => {
    createServer((_, response) => response.end('version ${version}'))
      .on('error', (error) => resolve({ ok: false, error: error.message }))
      .listen(${port}, '127.0.0.1', () => resolve({ ok: true, output: 'listening ${version}' }))
  }) } } }`)}`
  plugin.write('index.ts', entry(1))
  await startUserPlugins(host)
  assert.equal(await host.call('listen'), 'listening 1')
  plugin.write('index.ts', entry(2))
  await host.plugins.swap('server')
  assert.equal(await host.call('listen'), 'listening 2')
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'version 2')
})

test('W19 uninstalled and installed again, nothing is left over and nothing is taken for a duplicate', async (t) => {
  const host = testHost(t)
  await startUserPlugins(host)
  for (let round = 1; round <= 3; round += 1) {
    const plugin = answeringPlugin(host.userPlugins, 'guest', `round ${round}`)
    assert.equal((await host.plugins.offer(plugin.folder, 'user')).kind, 'swapped')
    assert.equal(await host.call('guest'), `round ${round}`)
    plugin.remove()
    assert.equal((await host.plugins.swap('guest')).kind, 'removed')
    assert.deepEqual([...host.ledger.snapshot().ledger], [])
  }
})

test('W20 a swap during a call hangs neither the call nor the swap', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'slow')
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('slow')] } })
  const entry = (version: number) =>
    entryOf(`return { tools: { slow: { execute: async () => {
    await new Promise((resolve) => setTimeout(resolve, 40))
    return { ok: true, output: 'version ${version}' }
  } } } }`)
  plugin.write('index.ts', entry(1))
  await startUserPlugins(host)
  assert.equal(await host.call('slow'), 'version 1')
  const running = host.call('slow')
  plugin.write('index.ts', entry(2))
  const swap = host.plugins.swap('slow')
  assert.equal((await swap).kind, 'swapped')
  assert.equal(await running, 'version 1')
  assert.equal(await host.call('slow'), 'version 2')
})

test('W22 a fault in dispose is told, with its line, and holds nothing up', async (t) => {
  const host = testHost(t)
  const told: string[] = []
  host.onDiagnostic((_, diagnostic) => told.push(`${diagnostic.line} ${diagnostic.message}`))
  const plugin = pluginFolder(host.userPlugins, 'untidy')
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('untidy')] } })
  const entry = (version: number) =>
    entryOf(`return {
    tools: { untidy: { execute: () => ({ ok: true, output: 'version ${version}' }) } },
    dispose() { throw new Error('cannot let go') },
  }`)
  plugin.write('index.ts', entry(1))
  await startUserPlugins(host)
  assert.equal(await host.call('untidy'), 'version 1')
  plugin.write('index.ts', entry(2))
  assert.equal((await host.plugins.swap('untidy')).kind, 'swapped')
  assert.equal(await host.call('untidy'), 'version 2')
  assert.deepEqual(told, ['5 plugin untidy: dispose: cannot let go'])
})

test('W24 a build that is asked for over and over leaves no build behind', async (t) => {
  const host = testHost(t)
  const plugin = answeringPlugin(host.userPlugins, 'busy', 'start')
  await startUserPlugins(host)
  const results = await Promise.all(
    Array.from({ length: 30 }, (_, save) => {
      plugin.write('index.ts', answeringEntry('busy', `save ${save}`))
      return host.plugins.swap('busy', { fresh: save % 2 === 0 })
    }),
  )
  assert.ok(results.every((one) => one.kind === 'swapped' || one.kind === 'unchanged'))
  assert.equal(await host.call('busy'), 'save 29')
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('TOOL-5 a tool that needs a host service is built by the factory, again at each activation', async (t) => {
  const workspace = temporaryFolder(t)
  writeFileSync(join(workspace, 'note.txt'), 'noted')
  let asked = 0
  const service = {
    root: async () => {
      asked += 1
      return workspace
    },
    locate: async () => ({ ok: false as const, rule: 'outside' as const, error: 'no' }),
    read: async () => ({ ok: false as const, rule: 'outside' as const, error: 'no' }),
    list: async () => ({ ok: false as const, rule: 'outside' as const, error: 'no' }),
  }
  const host = testHost(t, { services: { workspace: service } as never })
  const plugin = pluginFolder(host.userPlugins, 'needs')
  plugin.manifest({
    entry: './index.ts',
    capabilities: { tools: [{ ...plainTool('needs'), requires: ['workspace'] }] },
  })
  plugin.write(
    'index.ts',
    `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>(async (host) => {
  const root = await host.services.workspace.root()
  return { tools: { needs: { execute: () => ({ ok: true, output: root }) } } }
})`,
  )
  await startUserPlugins(host)
  assert.equal(await host.call('needs'), workspace)
  await host.plugins.disable('needs')
  await host.plugins.enable('needs')
  assert.equal(await host.call('needs'), workspace)
  assert.equal(asked, 2)
})
