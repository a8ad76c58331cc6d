import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { startUserPlugins, testHost } from '../support/host.ts'
import { answeringEntry, answeringPlugin, plainTool, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const everyKind = {
  activation: 'startup',
  entry: './index.ts',
  capabilities: {
    tools: [
      { ...plainTool('one'), group: 'pair' },
      { ...plainTool('two'), group: 'pair' },
      plainTool('three'),
    ],
    promptBlocks: [{ name: 'block', priority: 400 }],
    statusSegments: [{ name: 'segment', priority: 500 }],
    panels: [{ id: 'panel', title: 'Panel' }],
    commands: [{ root: 'every', help: 'Every kind', children: { leaf: { help: 'A leaf' } } }],
    providers: [
      { flavor: 'openai', presets: [{ name: 'every', apiBase: 'http://127.0.0.1:1/v1', defaultModel: 'm' }] },
    ],
    wallets: [{ provider: 'every' }],
    allowances: [{ provider: 'every' }],
    searchBackends: [{ mode: 'every' }],
    skills: [{ name: 'every', description: 'A skill.' }],
  },
}

const everyEntry = `import { definePlugin } from 'amber-agent/sdk'
const answer = { execute: () => ({ ok: true, output: 'yes' }) }
export default definePlugin<any>((host) => {
  host.every(60_000, () => {})
  host.on('turn.ended', () => {})
  const raw = setInterval(() => {}, 60_000)
  return {
    tools: { one: answer, two: answer, three: answer },
    promptBlocks: { block: () => 'text' },
    statusSegments: { segment: () => ({ text: 'x', tone: 'dim' }) },
    panels: { panel: { lines: () => ['line'] } },
    commands: { every: { leaf: () => 'ran' } },
    wallets: { every: async () => 1 },
    allowances: { every: async () => ({ windows: [] }) },
    searchBackends: { every: { search: async () => ({ ok: true, hits: [], truncated: false }) } },
    skills: { every: () => '# Every' },
    events: { 'turn.started': () => {} },
  }
})
`

test('LED-1 one capability is one ledger entry, named as the clause says', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'every')
  plugin.manifest(everyKind)
  plugin.write('index.ts', everyEntry)
  assert.deepEqual(await startUserPlugins(host), [])
  assert.deepEqual(
    host.ledger.snapshot().ledger.map((one) => `${one.kind}:${one.name} ${one.status} ${one.generation}`),
    [
      'tool:pair',
      'tool:three',
      'promptBlock:block',
      'statusSegment:segment',
      'panel:panel',
      'command:every',
      'provider:every',
      'wallet:every',
      'allowance:every',
      'searchBackend:every',
      'skill:every',
    ].map((name) => `${name} installed 1`),
  )
})

test('LED-2 tools that share a group are one contribution, removed together', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'every')
  plugin.manifest(everyKind)
  plugin.write('index.ts', everyEntry)
  await startUserPlugins(host)
  assert.deepEqual([...host.ledger.snapshot().tools.keys()], ['one', 'two', 'three'])
  plugin.manifest({ ...everyKind, capabilities: { ...everyKind.capabilities, tools: [plainTool('three')] } })
  plugin.write('index.ts', everyEntry.replace('one: answer, two: answer, ', ''))
  const swapped = await host.plugins.swap('every')
  assert.equal(swapped.kind, 'swapped')
  assert.deepEqual([...host.ledger.snapshot().tools.keys()], ['three'])
})

test('LED-3 an absent service declines the contribution before any code runs, and the plugin stays active', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'needy')
  plugin.manifest({
    entry: './index.ts',
    capabilities: { tools: [{ ...plainTool('needy'), requires: ['todos'] }, plainTool('free')] },
  })
  plugin.write(
    'index.ts',
    answeringEntry('free', 'free').replace('tools: {', 'tools: { needy: { execute: () => ({ ok: true }) },'),
  )
  await startUserPlugins(host)
  assert.equal(host.plugins.info('needy')?.state, 'active')
  const entry = host.ledger.snapshot().ledger.find((one) => one.name === 'needy')
  assert.equal(entry?.status, 'declined')
  assert.match(entry?.reason ?? '', /todos/)
  assert.equal(host.ledger.snapshot().tools.has('needy'), false)
  assert.equal(await host.call('free'), 'free')
})

test('LED-3 a decline at the first lazy call is an answer for that call, and the tool is gone afterwards', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'shy')
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('shy'), plainTool('late')] } })
  plugin.write(
    'index.ts',
    `import { decline, definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>(() => ({
  tools: { shy: decline('no display'), late: { execute: () => decline('no network') } },
}))`,
  )
  await startUserPlugins(host)
  assert.match(await host.call('shy'), /^declined: no display$/)
  assert.equal(host.ledger.snapshot().tools.has('shy'), false)
  assert.match(await host.call('late'), /^declined: no network$/)
  assert.equal(host.ledger.snapshot().tools.has('late'), false)
  assert.equal(host.plugins.info('shy')?.state, 'active')
})

test('LED-4 deactivation leaves every registry as it was, and no handler, timer or listener of the plugin', async (t) => {
  const host = testHost(t)
  answeringPlugin(host.userPlugins, 'other', 'other')
  await startUserPlugins(host)
  const { generation: _before, unavailable: _off, ...before } = host.ledger.snapshot()
  const listeners = process.listenerCount('SIGUSR2')
  const plugin = pluginFolder(host.userPlugins, 'every')
  plugin.manifest(everyKind)
  plugin.write('index.ts', everyEntry.replace('const raw', "process.on('SIGUSR2', () => {}); const raw"))
  await host.plugins.offer(plugin.folder, 'user')
  assert.equal(host.ledger.snapshot().tools.size, 4)
  assert.equal(host.bus.count('turn.started', 'every'), 1)
  assert.equal(host.bus.count('turn.ended', 'every'), 1)
  assert.equal(process.listenerCount('SIGUSR2'), listeners + 1)
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

  await host.plugins.disable('every')
  const { generation: _after, unavailable: _names, ...after } = host.ledger.snapshot()
  assert.deepEqual(after, before)
  assert.equal(host.bus.count('turn.started', 'every'), 0)
  assert.equal(host.bus.count('turn.ended', 'every'), 0)
  assert.equal(process.listenerCount('SIGUSR2'), listeners)
  assert.ok(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length < timers)
})

test('LED-4 a child process and a server of a plugin are gone when it is', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'opener')
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('open')] } })
  plugin.write(
    'index.ts',
    `import { definePlugin } from 'amber-agent/sdk'
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
export default definePlugin<any>(() => ({
  tools: { open: { execute: () => new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    const server = createServer().listen(0, '127.0.0.1', () =>
      resolve({ ok: true, output: child.pid + ' ' + server.address().port }))
  }) } },
}))`,
  )
  await startUserPlugins(host)
  const [pid, port] = (await host.call('open')).split(' ').map(Number)
  assert.ok(pid && port)
  process.kill(pid, 0)
  await host.plugins.disable('opener')
  await waitUntilGone(pid)
  await assert.rejects(fetch(`http://127.0.0.1:${port}/`))
})

test('LED-5 a name that an earlier owner holds is a conflict that names both, and the holder is untouched', async (t) => {
  const host = testHost(t)
  answeringPlugin(host.userPlugins, 'alpha', 'alpha')
  const beta = pluginFolder(host.userPlugins, 'beta')
  beta.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('alpha'), plainTool('beta')] } })
  beta.write(
    'index.ts',
    answeringEntry('beta', 'beta').replace(
      'tools: {',
      "tools: { alpha: { execute: () => ({ ok: true, output: 'stolen' }) },",
    ),
  )
  await startUserPlugins(host)
  assert.equal(await host.call('alpha'), 'alpha')
  assert.equal(await host.call('beta'), 'beta')
  const info = host.plugins.info('beta')
  assert.equal(info?.state, 'degraded')
  assert.match(info?.reason ?? '', /plugin beta: the tool "alpha" belongs to plugin alpha/)
})

test('LED-5 of two folders with one id the given one wins over the user, and the rest are reported', async (t) => {
  const host = testHost(t)
  const elsewhere = temporaryFolder(t)
  answeringPlugin(host.userPlugins, 'twin', 'user')
  const given = answeringPlugin(elsewhere, 'twin', 'given')
  const diagnostics = await host.plugins.start(
    { parents: [{ folder: host.userPlugins, source: 'user' }], given: [given.folder] },
    { activate: true },
  )
  assert.equal(await host.call('twin'), 'given')
  assert.match(
    diagnostics.map((one) => one.message).join(),
    /the id "twin" is already that of the flag plugin/,
  )
})

test('LED-5 a folder that was displaced returns when the one that displaced it leaves its id', async (t) => {
  const host = testHost(t)
  answeringPlugin(host.userPlugins, 'hello', 'the first')
  await startUserPlugins(host)
  const given = pluginFolder(temporaryFolder(t), 'guest')
  const manifest = { entry: './index.ts', capabilities: { tools: [plainTool('hello')] } }
  given.manifest({ ...manifest, id: 'hello' })
  given.write('index.ts', answeringEntry('hello', 'the guest'))
  assert.equal((await host.plugins.offer(given.folder, 'flag')).kind, 'swapped')
  assert.equal(await host.call('hello'), 'the guest')
  given.manifest({ ...manifest, id: 'other', capabilities: { tools: [plainTool('other')] } })
  given.write('index.ts', answeringEntry('other', 'renamed'))
  assert.equal((await host.plugins.swap('hello')).plugin, 'other')
  await host.plugins.swap('hello')
  assert.equal(await host.call('hello'), 'the first')
  assert.equal(await host.call('other'), 'renamed')
})

test('LED-5 a workspace never displaces a bundled id', async (t) => {
  const host = testHost(t)
  const [bundled, workspace] = [temporaryFolder(t), temporaryFolder(t)]
  answeringPlugin(bundled, 'core', 'bundled')
  answeringPlugin(workspace, 'core', 'workspace')
  await host.plugins.start(
    {
      parents: [
        { folder: workspace, source: 'workspace' },
        { folder: bundled, source: 'bundled' },
      ],
      given: [],
    },
    { activate: true },
  )
  assert.equal(await host.call('core'), 'bundled')
})

test('LED-6 at start-up a missing handler fails alone: the plugin is degraded, the others work', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'half')
  plugin.manifest({
    entry: './index.ts',
    capabilities: { tools: [plainTool('there'), plainTool('missing')] },
  })
  plugin.write('index.ts', answeringEntry('there', 'there'))
  await startUserPlugins(host)
  assert.equal(await host.call('there'), 'there')
  const info = host.plugins.info('half')
  assert.equal(info?.state, 'degraded')
  assert.deepEqual(
    info?.contributions.map((one) => [one.name, one.status]),
    [
      ['there', 'installed'],
      ['missing', 'failed'],
    ],
  )
  assert.match(
    info?.diagnostics[0]?.message ?? '',
    /tools\.missing is declared in plugin\.json, but the entry has no handler/,
  )
})

test('LED-7 a disabled plugin is never loaded and has no row, and its names say how to get them back', async (t) => {
  const home = temporaryFolder(t)
  const first = testHost(t, { home })
  const plugin = answeringPlugin(first.userPlugins, 'quiet', 'quiet')
  await startUserPlugins(first)
  await first.plugins.disable('quiet')
  plugin.write('index.ts', 'globalThis.quietWasLoaded = true\n')
  const second = testHost(t, { home })
  await startUserPlugins(second)
  assert.equal(second.ledger.snapshot().tools.size, 0)
  assert.deepEqual(second.ledger.snapshot().ledger, [])
  assert.equal(Reflect.get(globalThis, 'quietWasLoaded'), undefined)
  assert.deepEqual(second.ledger.snapshot().unavailable.get('tool:quiet'), {
    plugin: 'quiet',
    why: 'is switched off',
    remedy: 'amber plugin on quiet',
  })
})

test('LED-8 on and off take effect at once, persist, and another running host follows', async (t) => {
  const home = temporaryFolder(t)
  const [one, two] = [testHost(t, { home }), testHost(t, { home })]
  answeringPlugin(one.userPlugins, 'shared', 'shared')
  await startUserPlugins(one)
  await startUserPlugins(two)
  await one.plugins.disable('shared')
  assert.equal(await one.call('shared'), 'error: no tool shared')
  assert.deepEqual(JSON.parse(readFileSync(join(one.paths.config, 'plugin-state', 'shared.json'), 'utf8')), {
    enabled: false,
  })
  await two.plugins.followStates()
  assert.equal(await two.call('shared'), 'error: no tool shared')
  await two.plugins.enable('shared')
  assert.equal(await two.call('shared'), 'shared')
  await one.plugins.followStates()
  assert.equal(await one.call('shared'), 'shared')
})

for (const [what, code, message] of [
  ['throws at import', "import { readFileSync } from 'node:fs'\nreadFileSync('/missing/file')\n", /ENOENT/],
  ['has a syntax error', 'export default {', /./],
  [
    'rejects',
    "import { definePlugin } from 'amber-agent/sdk'\nexport default definePlugin<any>(async () => { throw new Error('no luck') })",
    /no luck/,
  ],
  [
    'never settles',
    "import { definePlugin } from 'amber-agent/sdk'\nexport default definePlugin<any>(() => new Promise(() => {}))",
    /did not finish within 50 ms/,
  ],
  ['calls process.exit', 'process.exit(7)\n', /a plugin cannot end amber/],
  ['exports nothing', 'export const a = 1\n', /exports no plugin/],
] as const) {
  for (const name of ['aaa', 'zzz']) {
    test(`LED-9 a plugin that ${what} stops neither the host nor a plugin ${name === 'aaa' ? 'after' : 'before'} it (L1, L2, L3)`, async (t) => {
      const host = testHost(t)
      const bad = pluginFolder(host.userPlugins, name)
      bad.manifest({
        entry: './index.ts',
        activation: 'startup',
        activationTimeoutMs: 50,
        capabilities: { tools: [plainTool('bad')] },
      })
      bad.write('index.ts', code)
      answeringPlugin(host.userPlugins, 'good', 'good')
      await startUserPlugins(host)
      assert.equal(await host.call('good'), 'good')
      const info = host.plugins.info(name)
      assert.equal(info?.state, 'failed')
      assert.match(info?.reason ?? '', message)
      assert.match(host.ledger.snapshot().unavailable.get('tool:bad')?.why ?? '', /is out of order/)
    })
  }
}

test('LED-10 five faults in a row park a contribution, and a new version unparks it', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'clumsy')
  plugin.manifest({
    entry: './index.ts',
    capabilities: { tools: [plainTool('clumsy'), plainTool('steady')] },
  })
  const entry = (body: string) => `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>(() => ({ tools: {
  clumsy: { execute: () => { ${body} } }, steady: { execute: () => ({ ok: true, output: 'steady' }) } } }))`
  plugin.write('index.ts', entry("throw new Error('oops')"))
  await startUserPlugins(host)
  for (let fault = 1; fault <= 5; fault += 1) assert.match(await host.call('clumsy'), /oops/)
  const parked = host.ledger.snapshot().ledger.find((one) => one.name === 'clumsy')
  assert.equal(parked?.status, 'failed')
  assert.match(parked?.reason ?? '', /parked after 5 faults in a row/)
  assert.equal(await host.call('steady'), 'steady')
  plugin.write('index.ts', entry("return { ok: true, output: 'mended' }"))
  await host.plugins.swap('clumsy')
  assert.equal(await host.call('clumsy'), 'mended')
})

test('LED-10 a summary that works does not make up for an execution that throws', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'clumsy')
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('clumsy')] } })
  plugin.write(
    'index.ts',
    `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>(() => ({ tools: { clumsy: { execute: () => { throw new Error('oops') }, summarize: () => 'fine' } } }))`,
  )
  await startUserPlugins(host)
  for (let fault = 1; fault <= 5; fault += 1) {
    host.ledger.snapshot().tools.get('clumsy')?.summarize({})
    await host.call('clumsy')
  }
  assert.match(host.ledger.snapshot().ledger[0]?.reason ?? '', /parked after 5 faults/)
})

for (const [what, entry] of [
  ['a section', "{ get tools() { throw new Error('unreadable') } }"],
  ['a handler', "{ tools: { get odd() { throw new Error('unreadable') } } }"],
  ['a method', "{ tools: { odd: { get execute() { throw new Error('unreadable') } } } }"],
  [
    'the events',
    "{ tools: { odd: { execute: () => ({ ok: true }) } }, get events() { throw new Error('unreadable') } }",
  ],
  [
    'everything',
    "new Proxy({}, { get() { throw new Error('unreadable') }, ownKeys() { throw new Error('unreadable') } })",
  ],
] as const) {
  test(`LED-9 SWAP-2 a getter of ${what} that throws is that plugin's fault, at start and in a swap`, async (t) => {
    const host = testHost(t)
    const plugin = pluginFolder(host.userPlugins, 'odd')
    plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('odd')] } })
    const write = (body: string) =>
      plugin.write(
        'index.ts',
        `import { definePlugin } from 'amber-agent/sdk'\nexport default definePlugin<any>(() => (${body}))`,
      )
    answeringPlugin(host.userPlugins, 'good', 'good')
    write(entry)
    await startUserPlugins(host)
    assert.match(await host.call('odd'), /^error: /)
    assert.match(host.plugins.info('odd')?.reason ?? '', /unreadable/)
    write("{ tools: { odd: { execute: () => ({ ok: true, output: 'mended' }) } } }")
    assert.equal((await host.plugins.swap('odd')).kind, 'swapped')
    write(entry)
    const rejected = await host.plugins.swap('odd')
    assert.ok(rejected.kind === 'rejected')
    assert.match(rejected.diagnostics.map((one) => one.message).join(), /unreadable/)
    assert.equal(await host.call('odd'), 'mended')
    assert.equal(await host.call('good'), 'good')
  })
}

for (const [what, dispose] of [
  ['whose answer has a then that throws', '() => ({ get then() { throw 1 } })'],
  ['whose answer cannot be read', '() => ({ get handedOver() { throw new Error(String(1)) } })'],
  ['that is a getter that throws', undefined],
] as const) {
  test(`LED-4 everything ends after a dispose ${what}`, async (t) => {
    const host = testHost(t)
    const plugin = pluginFolder(host.userPlugins, 'untidy')
    plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('untidy')] } })
    const end =
      dispose === undefined ? "get dispose() { throw new Error('unreadable') }" : `dispose: ${dispose}`
    plugin.write(
      'index.ts',
      `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>((host) => {
  process.on('SIGUSR2', () => {})
  return { tools: { untidy: { execute: () => ({ ok: true, output: 'here' }) } }, ${end} }
})`,
    )
    const listeners = process.listenerCount('SIGUSR2')
    await startUserPlugins(host)
    assert.equal(await host.call('untidy'), 'here')
    assert.equal(process.listenerCount('SIGUSR2'), listeners + 1)
    await host.plugins.disable('untidy')
    assert.equal(process.listenerCount('SIGUSR2'), listeners)
  })
}

test('LED-4 timers of node:timers, workers and the children of a shell are gone with their plugin', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'opener')
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('open'), plainTool('ticks')] } })
  plugin.write(
    'index.ts',
    `import { definePlugin } from 'amber-agent/sdk'
import { exec } from 'node:child_process'
import { setInterval as every } from 'node:timers'
import { setInterval as stream } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
const ticks = (globalThis.openerTicks = { count: 0 })
export default definePlugin<any>(() => ({ tools: {
  ticks: { execute: () => ({ ok: true, output: String(ticks.count) }) },
  open: { execute: () => new Promise((resolve) => {
    every(() => { ticks.count += 1 }, 1)
    void (async () => { for await (const _ of stream(1)) ticks.count += 1 })().catch(() => {})
    new Worker('setInterval(() => {}, 1000)', { eval: true })
    const shell = exec('sleep 300 & echo $!; wait')
    shell.stdout.once('data', (text) => resolve({ ok: true, output: String(text).trim() }))
  }) },
} }))`,
  )
  await startUserPlugins(host)
  const pid = Number(await host.call('open'))
  process.kill(pid, 0)
  await host.plugins.disable('opener')
  await waitUntilGone(pid)
  const ticks: unknown = Reflect.get(globalThis, 'openerTicks')
  const before = JSON.stringify(ticks)
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  assert.equal(JSON.stringify(ticks), before)
  assert.equal(process.getActiveResourcesInfo().includes('MessagePort'), false)
  Reflect.deleteProperty(globalThis, 'openerTicks')
})

test('EVT-1 host.every refuses what is no interval', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'never')
  plugin.manifest({ entry: './index.ts', activation: 'startup' })
  plugin.write(
    'index.ts',
    `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>((host) => { host.every(Number.NaN, () => {}); return {} })`,
  )
  await startUserPlugins(host)
  assert.match(host.plugins.info('never')?.reason ?? '', /host\.every needs milliseconds above 0, not NaN/)
})

test('SWAP-2 a manifest that something else stands in the place of is said to be that, and hangs nothing', async (t) => {
  const host = testHost(t)
  const plugin = answeringPlugin(host.userPlugins, 'weather', 'good')
  await startUserPlugins(host)
  assert.equal(await host.call('weather'), 'good')
  const manifest = join(plugin.folder, 'plugin.json')
  rmSync(manifest)
  execFileSync('mkfifo', [manifest])
  const pipe = await host.plugins.swap('weather')
  assert.match(pipe.kind === 'rejected' ? (pipe.diagnostics[0]?.message ?? '') : pipe.kind, /no regular file/)
  rmSync(manifest)
  mkdirSync(manifest)
  const folder = await host.plugins.swap('weather')
  assert.match(
    folder.kind === 'rejected' ? (folder.diagnostics[0]?.message ?? '') : folder.kind,
    /a folder stands in its place/,
  )
  assert.equal(await host.call('weather'), 'good')
})

test('LED-9 a link to a plugin folder counts, a dangling one is reported, and both leave the others alone (L21)', async (t) => {
  const host = testHost(t)
  const elsewhere = temporaryFolder(t)
  const linked = answeringPlugin(elsewhere, 'linked', 'linked')
  mkdirSync(host.userPlugins, { recursive: true })
  symlinkSync(linked.folder, join(host.userPlugins, 'linked'))
  symlinkSync(join(elsewhere, 'nothing'), join(host.userPlugins, 'dangling'))
  const diagnostics = await startUserPlugins(host)
  assert.equal(await host.call('linked'), 'linked')
  assert.match(diagnostics.map((one) => one.message).join(), /dangling is a link that leads nowhere/)
  assert.equal(existsSync(join(host.paths.cache, 'builds')), true)
})

async function waitUntilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
}
