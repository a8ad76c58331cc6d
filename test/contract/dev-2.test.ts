import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { atEnd } from '../support/at-end.ts'
import { testDevServer } from '../support/dev-server.ts'
import { type PluginFolder, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const entry = `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>((host) => {
  let pressed = ''
  return {
    tools: {
      plain: { execute: ({ n }) => ({ ok: true, output: 'plain ' + typeof n + ' ' + n }) },
      risky: { execute: () => ({ ok: true, output: 'done' }) },
      slow: { execute: (_, call) => new Promise((resolve) => {
        globalThis.slowStarted?.()
        call.signal.addEventListener('abort', () => resolve({ ok: false, error: 'stopped' }))
      }) },
    },
    statusSegments: {
      warm: () => ({ text: '21°', tone: 'good' }),
      late: () => ({ text: 'late', tone: 'dim' }),
      wide: () => ({ text: 'x'.repeat(30), tone: 'accent' }),
    },
    panels: { forecast: { lines: (width) => ['w' + width, pressed], onKey: (key) => { pressed += key; return key === 'r' } } },
    commands: { weather: { now: (arg) => 'Sunny in ' + (arg.text || 'town') } },
    promptBlocks: { advice: () => 'Take an umbrella.', clock: () => 'It is ' + performance.now() },
  }
})`

const noArguments = { type: 'object', properties: {}, additionalProperties: false }
const tool = (name: string, more: object = {}) => ({
  name,
  description: name,
  parameters: noArguments,
  ...more,
})

function weather(parent: string): PluginFolder {
  const plugin = pluginFolder(parent, 'weather')
  plugin.manifest({
    entry: './index.ts',
    capabilities: {
      tools: [
        tool('plain', {
          parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
        }),
        tool('risky', { approval: 'always' }),
        tool('slow'),
      ],
      statusSegments: [
        { name: 'late', priority: 600, edge: 'right' },
        { name: 'warm', priority: 500 },
        { name: 'wide', priority: 700, dropPriority: 9 },
      ],
      panels: [{ id: 'forecast', title: 'Forecast' }],
      commands: [{ root: 'weather', help: 'Weather', children: { now: { help: 'The weather now' } } }],
      promptBlocks: [{ name: 'advice', placement: 'system' }, { name: 'clock' }],
    },
  })
  plugin.write('index.ts', entry)
  return plugin
}

async function start(t: TestContext, options: { readonly bundled?: boolean } = {}) {
  const plugin = weather(temporaryFolder(t))
  const dev = await testDevServer(t, { folders: [plugin.folder], ...options })
  const base = `http://127.0.0.1:${dev.server.port}/api/`
  const token = { 'x-amber-token': dev.server.token }
  const get = async (path: string) => {
    const reply = await fetch(base + path, { headers: token })
    return { status: reply.status, body: JSON.parse(await reply.text()) }
  }
  const post = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await fetch(base + path, {
      method: 'POST',
      headers: { ...token, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { status: reply.status, body: JSON.parse(await reply.text()) }
  }
  return { ...dev, plugin, base, token, get, post }
}

test('DEV-2 a tool that needs approval is not run, unless the developer approves this very call', async (t) => {
  const { post } = await start(t)
  const denied = await post('tools/risky', {})
  assert.equal(denied.status, 200)
  assert.equal(denied.body.ok, false)
  assert.match(denied.body.error, /risky needs approval.*x-amber-approve: once/)
  assert.equal((await post('tools/risky', {}, { 'x-amber-approve': 'yes' })).body.ok, false)
  const approved = await post('tools/risky', {}, { 'x-amber-approve': 'once' })
  assert.deepEqual([approved.body.ok, approved.body.output], [true, 'done'])
  assert.equal((await post('tools/risky', {})).body.ok, false)
})

test('DEV-2 arguments pass the same checks, and the answer is a result', async (t) => {
  const { post } = await start(t)
  const { body } = await post('tools/plain', { n: '5' })
  assert.deepEqual(Object.keys(body), ['ok', 'output', 'durationMs'])
  assert.equal(body.output, 'plain number 5')
  assert.match((await post('tools/plain', {})).body.error, /n/)
  assert.equal((await post('tools/plain', [1])).status, 400)
  const missing = await post('tools/plane', {})
  assert.equal(missing.status, 404)
  assert.match(missing.body.error.hint, /plain/)
})

test('DEV-2 a tool of a plugin that is switched off says who has it and how to get it back', async (t) => {
  const { post, app } = await start(t)
  await app.plugins.disable('weather')
  const reply = await post('tools/plain', { n: 1 })
  assert.equal(reply.status, 404)
  assert.match(`${reply.body.error.message} ${reply.body.error.hint}`, /weather.*amber plugin on weather/)
})

test('DEV-2 a client that goes away takes its call with it', async (t) => {
  const { app, base, token } = await start(t)
  const started = new Promise<void>((resolve) => Reflect.set(globalThis, 'slowStarted', resolve))
  atEnd(t, () => Reflect.deleteProperty(globalThis, 'slowStarted'))
  const completed = new Promise<boolean>((resolve) => {
    app.on('tool.completed', ({ name, ok }) => {
      if (name === 'slow') resolve(ok)
    })
  })
  const stop = new AbortController()
  const call = fetch(`${base}tools/slow`, {
    method: 'POST',
    headers: { ...token, 'content-type': 'application/json' },
    body: '{}',
    signal: stop.signal,
  })
  await started
  stop.abort()
  await assert.rejects(call)
  assert.equal(await completed, false)
})

test('DEV-1 plugins, ledger and commands are told as they live', async (t) => {
  const { get, post, plugin } = await start(t)
  const plugins = await get('plugins')
  assert.deepEqual(
    plugins.body.map((one: { id: string; state: string; source: string }) => [one.id, one.state, one.source]),
    [['weather', 'active', 'flag']],
  )
  assert.equal(plugins.body[0].path, plugin.folder)
  const ledger = await get('ledger')
  assert.deepEqual(ledger.body[0], {
    plugin: 'weather',
    kind: 'tool',
    name: 'plain',
    generation: 1,
    status: 'installed',
  })
  const commands = await get('commands')
  assert.ok(
    commands.body.some(
      (one: { name: string; plugin: unknown }) => one.name === 'weather' && one.plugin === 'weather',
    ),
  )
  assert.ok(
    commands.body.some(
      (one: { name: string; plugin: unknown }) => one.name === 'help' && one.plugin === null,
    ),
  )
  assert.equal((await post('commands', { line: 'weather now Oslo' })).body.text, 'Sunny in Oslo')
  assert.equal((await post('commands', { line: '/weather now' })).body.text, 'Sunny in town')
  const unknown = await post('commands', { line: 'wether now' })
  assert.equal(unknown.status, 200)
  assert.match(unknown.body.text, /weather/)
})

test('STA-2 the status bar is composed for any width', async (t) => {
  const { get } = await start(t)
  const wide = await get('status?width=60')
  assert.equal(wide.body.text, `21°   ${'x'.repeat(30)}${' '.repeat(20)}late`)
  const narrow = await get('status?width=20')
  assert.equal(narrow.body.text, `21°${' '.repeat(13)}late`)
  assert.deepEqual(
    narrow.body.segments.map((one: { name: string; shown: boolean }) => [one.name, one.shown]),
    [
      ['warm', true],
      ['late', true],
      ['wide', false],
    ],
  )
  for (const width of ['0', '-1', 'x', '1e3', '100000'])
    assert.equal((await get(`status?width=${width}`)).status, 400)
})

test('PAN-2 a panel is drawn and takes keys, but not those of the host', async (t) => {
  const { get, post } = await start(t)
  assert.deepEqual((await get('panels/forecast?width=33')).body, { lines: ['w33', ''] })
  assert.deepEqual((await post('panels/forecast/keys', { key: 'r' })).body, { handled: true })
  assert.deepEqual((await post('panels/forecast/keys', { key: 'up' })).body, { handled: false })
  assert.deepEqual((await post('panels/forecast/keys', { key: 'esc' })).body, { handled: false })
  assert.deepEqual((await post('panels/forecast/keys', { key: 'alt+0' })).body, { handled: false })
  assert.deepEqual((await get('panels/forecast')).body.lines, ['w80', 'rup'])
  assert.equal((await post('panels/forecast/keys', { keys: 'r' })).status, 400)
  assert.equal((await get('panels/nothing')).status, 404)
})

test('PRM-3 the assembled prompt names its blocks and how much of it stays the same', async (t) => {
  const { get } = await start(t)
  const { body, stableBytes, blocks } = (await get('prompt')).body
  const named = blocks.map((one: { plugin: string | null; name: string }) => `${one.plugin}:${one.name}`)
  assert.deepEqual([named.at(-2), named.at(-1)], ['weather:advice', 'weather:clock'])
  assert.ok(blocks.every((one: { tokens: number }) => one.tokens > 0))
  const text = JSON.stringify(body)
  const stable = Buffer.from(text).subarray(0, stableBytes).toString()
  assert.ok(stable.includes('Take an umbrella.') && stable.includes('It is '))
  assert.ok(stableBytes < Buffer.byteLength(text), 'the clock block breaks the prefix')
  assert.deepEqual(
    body.tools.map((one: { function: { name: string } }) => one.function.name),
    ['plain', 'risky', 'slow'],
  )
})

test('DEV-1 a turn runs against the rehearsal, with the plugins as they are', async (t) => {
  const { post, next } = await start(t, { bundled: true })
  const { status, body } = await post('turn', { prompt: 'greet amber' })
  assert.equal(status, 200)
  assert.equal(body.provider, 'rehearsal')
  assert.match(body.text, /Hello, amber!/)
  assert.equal(body.session, null)
  assert.equal((await post('turn', { prompt: ' ' })).status, 400)
  for (const prompt of ['greet one', 'greet two']) await post('turn', { prompt })
  const warning = await next(
    'warning of a block that changes',
    (one) => one.type === 'warning' && one.plugin === 'weather',
  )
  assert.match(
    warning.type === 'warning' ? warning.message : '',
    /block clock is different in every turn.*from byte \d+/,
  )
  // At the handler's own line, with what to do.
  const { file, line, column, hint } = (warning.type === 'warning' && warning.diagnostic) || {}
  assert.match(`${file}:${line}:${column}`, /weather\/index\.ts:\d+:\d{2}$/)
  assert.match(hint ?? '', /at the tail already/)
})

/** Reads server-sent events until one fits. */
async function readEvents(
  body: AsyncIterable<Uint8Array>,
  fits: (event: string) => boolean,
): Promise<readonly string[]> {
  const decoder = new TextDecoder()
  const seen: string[] = []
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      seen.push(part)
      if (fits(part)) return seen
    }
  }
  return seen
}

test('DEV-1 events go to every client, those of the host too, and a client that comes back gets what it missed', async (t) => {
  const { base, token, plugin, post } = await start(t)
  const clients = await Promise.all([1, 2].map(() => fetch(`${base}events`, { headers: token })))
  for (const { body } of clients) assert.ok(body)
  const reading = clients.map(({ body }) =>
    readEvents(body ?? new ReadableStream(), (event) => event.includes('event: swap')),
  )
  await post('tools/plain', { n: 1 })
  plugin.write('index.ts', entry.replace('umbrella', 'coat'))
  for (const seen of await Promise.all(reading)) {
    const names = seen.flatMap((one) => /^event: (.*)$/m.exec(one)?.[1] ?? [])
    assert.deepEqual(
      names.filter((name) => ['tool.completed', 'plugin.swapped', 'swap'].includes(name)),
      ['tool.completed', 'plugin.swapped', 'swap'],
    )
  }
  const back = await fetch(`${base}events`, { headers: { ...token, 'last-event-id': '0' } })
  const missed = await readEvents(back.body ?? new ReadableStream(), (event) =>
    event.includes('"generation":2,"changed"'),
  )
  assert.ok(missed.some((one) => one.includes('event: ready')))
})
