import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { atEnd } from '../support/at-end.ts'
import { startCommandLine } from '../support/command-line.ts'
import { type McpFixture, startMcp as start, testServer } from '../support/mcp-fixture.ts'
import { answeringPlugin } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { within } from '../support/within.ts'

/** The plugin is built once, and not for each test. */
const builds = mkdtempSync(join(tmpdir(), 'amber-mcp-builds-'))
after(() => rmSync(builds, { recursive: true, force: true }))

function startMcp(
  t: TestContext,
  servers: Readonly<Record<string, unknown>>,
  options: Parameters<typeof start>[2] = {},
): Promise<McpFixture> {
  return start(t, servers, { ...options, builds })
}

const OWN = ['crash', 'echo', 'env', 'fail', 'file', 'grow', 'mixed', 'wait']
const ADDED = ['get_prompt', 'list_resources', 'read_resource']

test('MCP-1 a server’s tools are called mcp_<server>_<tool>, and answer', async (t) => {
  const { host, tools, until, mcp, part } = await startMcp(t, { test: testServer() })
  await until(() => tools().length > 0)
  assert.deepEqual([...tools()].sort(), [...OWN, ...ADDED].map((name) => `mcp_test_${name}`).sort())
  assert.equal(await host.call('mcp_test_echo', { text: 'hello' }), 'echo: hello')
  assert.match(
    await host.call('mcp_test_mixed'),
    /^look:\n\[image image\/png, 3 bytes: not shown\]\n\[resource one: note:\/\/one\]$/,
  )
  const failed = await host.ledger.snapshot().tools.get('mcp_test_fail')?.execute({}, call())
  assert.deepEqual(failed, { kind: 'value', value: { ok: false, error: 'it is broken' } })
  await mcp('connect', 'test')
  assert.match(await mcp('show', 'test'), /test: connected, test-server 1\.2\.3/)
  assert.deepEqual(part.states(), [{ name: 'test', connected: true, hasError: false }])
})

test('MCP-1 prompts are filled in and resources are read by tools of their own', async (t) => {
  const { host, tools, until } = await startMcp(t, { test: testServer() })
  await until(() => tools().length > 0)
  const args = { name: 'review', arguments: { what: 'this' } }
  assert.equal(await host.call('mcp_test_get_prompt', args), 'user: Review this.')
  assert.match(
    await host.call('mcp_test_list_resources'),
    /note:\/\/one {2}one {2}The first\.\nnote:\/\/\{id\} {2}any/,
  )
  assert.equal(
    await host.call('mcp_test_read_resource', { uri: 'note://one' }),
    '[resource note://one]\nthe text of one',
  )
  assert.match(await host.call('mcp_test_read_resource', { uri: 'note://seven' }), /note seven/)
  assert.match(
    host.ledger.snapshot().tools.get('mcp_test_get_prompt')?.description ?? '',
    /review\(what\): Reviews\./,
  )
})

test('MCP-1 what a server says of its tools’ safety is not believed: they are as a tool that says nothing', async (t) => {
  const { host, tools, until } = await startMcp(t, { test: testServer() })
  await until(() => tools().length > 0)
  const tool = host.ledger.snapshot().tools.get('mcp_test_echo')
  assert.deepEqual([tool?.readOnly, tool?.approval, tool?.plugin], [false, 'never', 'mcp'])
})

test('MCP-1 list_changed is honoured: a new tool is in the next snapshot', async (t) => {
  const { host, tools, until } = await startMcp(t, { test: testServer() })
  await until(() => tools().length > 0)
  assert.equal(await host.call('mcp_test_grow'), 'grown')
  await until(() => tools().includes('mcp_test_late'))
  assert.equal(await host.call('mcp_test_late'), 'late it is')
})

test('M1 banners and a megabyte of noise break no connection, and are kept', async (t) => {
  const { host, tools, until, mcp } = await startMcp(t, { loud: testServer(['--noise']) })
  await until(() => tools().length > 0)
  assert.equal(await host.call('mcp_loud_echo', { text: 'still' }), 'echo: still')
  assert.match(await mcp('show', 'loud'), /its last lines:[\s\S]*between messages/)
})

test('M2 a server that never answers holds nothing up, and its state is told by name', async (t) => {
  const started = performance.now()
  const { part, mcp, tools } = await startMcp(t, { dead: testServer(['--never']) })
  assert.ok(performance.now() - started < 10_000, 'the start did not wait')
  assert.deepEqual(part.states(), [{ name: 'dead', connected: false, hasError: false }])
  assert.match(await mcp('list'), /dead +connecting/)
  assert.deepEqual(tools(), [])
})

test('M2 the first turn waits for a dead server once, for less than two seconds, and the next time not at all', async (t) => {
  await within(2_000, async (begin) => {
    const { host } = await startMcp(t, { dead: testServer(['--never']) })
    begin()
    await host.bus.intercept('turn.started', { turn: '1', prompt: 'hello' })
  })
  const home = temporaryFolder(t)
  const turn = async () => {
    const { host } = await startMcp(t, { dead: testServer(['--never']) }, { home })
    const started = performance.now()
    const first = await host.bus.intercept('turn.started', { turn: '1', prompt: 'hello' })
    const waited = performance.now() - started
    await host.bus.intercept('turn.started', { turn: '2', prompt: 'hello' })
    assert.equal(first.vetoed, false)
    const again = performance.now() - started - waited
    await host.plugins.shutdown()
    return { waited, again }
  }
  const first = await turn()
  assert.ok(first.waited > 1_000, `the first turn waited ${first.waited} ms`)
  assert.ok(first.again < 1_000, `the second turn waited ${first.again} ms`)
  const second = await turn()
  assert.ok(second.waited < 1_000, `the first turn of the next run waited ${second.waited} ms`)
})

test('M2 the tools of a server that is slow to come up appear when it is there', async (t) => {
  const home = temporaryFolder(t)
  const file = join(home, 'up')
  const { host, tools, until, mcp } = await startMcp(t, { slow: testServer(['--after', file]) }, { home })
  assert.match(await mcp('list'), /slow +connecting/)
  writeFileSync(file, '')
  await until(() => tools().includes('mcp_slow_echo'))
  assert.equal(await host.call('mcp_slow_echo', { text: 'there' }), 'echo: there')
})

test('M2 a program that does not exist, and one that ends, are errors by name; the others work', async (t) => {
  const { host, tools, until, mcp, part } = await startMcp(t, {
    absent: { command: '/nonexistent/server' },
    ends: { command: process.execPath, args: ['-e', 'console.error("no config"); process.exit(3)'] },
    off: testServer([], { disabled: true }),
    good: testServer(),
  })
  await until(() => tools().includes('mcp_good_echo'))
  await mcp('connect', 'absent')
  await mcp('connect', 'ends')
  const list = await mcp('list')
  assert.match(list, /absent +failed, retried +it does not start: spawn \/nonexistent\/server ENOENT/)
  assert.match(list, /ends +failed, retried +it ended with exit code 3/)
  assert.match(list, /off +disabled/)
  assert.match(await mcp('show', 'ends'), /its last lines:\n {2}no config/)
  assert.deepEqual(
    part.states().map(({ name, hasError }) => `${name} ${hasError}`),
    ['absent true', 'ends true', 'good false'],
  )
  assert.equal(await host.call('mcp_good_echo', { text: 'x' }), 'echo: x')
})

test('M2 a server that crashes in a call is an error result, its tools go, and it comes back', async (t) => {
  const { host, tools, until, mcp } = await startMcp(t, { test: testServer() })
  await until(() => tools().length > 0)
  const answer = host.ledger.snapshot().tools.get('mcp_test_crash')?.execute({}, call())
  await until(() => tools().length === 0)
  const outcome = await answer
  assert.match(JSON.stringify(outcome), /The MCP server test failed: /)
  assert.match(await mcp('list'), /it ended with exit code 7/)
  await mcp('connect', 'test')
  assert.ok(tools().includes('mcp_test_crash'))
})

test('M2 what a server had the last time is there at once, and a call waits for the server', async (t) => {
  const home = temporaryFolder(t)
  const file = join(home, 'up')
  const servers = { slow: testServer(['--after', file]) }
  writeFileSync(file, '')
  const first = await startMcp(t, servers, { home })
  await first.mcp('connect', 'slow')
  await first.host.plugins.shutdown()
  rmSync(file)
  const second = await startMcp(t, servers, { home })
  assert.ok(second.tools().includes('mcp_slow_echo'), 'at once')
  assert.match(await second.mcp('list'), /connecting/)
  const answer = second.host.call('mcp_slow_echo', { text: 'waited' })
  writeFileSync(file, '')
  assert.equal(await answer, 'echo: waited')
})

test('M4 the timeout is in milliseconds, and the error says so', async (t) => {
  const { host, tools, until, mcp } = await startMcp(t, {
    test: testServer([], { timeout: 250 }),
    plain: testServer(),
  })
  await until(() => tools().includes('mcp_test_wait') && tools().includes('mcp_plain_wait'))
  assert.match(
    JSON.stringify(await host.ledger.snapshot().tools.get('mcp_test_wait')?.execute({}, call())),
    /did not answer within 250 ms .{1,4}timeout.{1,4} in mcp\.json, in milliseconds/,
  )
  assert.match(await mcp('show', 'plain'), /one call may take 60000 ms/)
})

test('M5 cancelling a call tells the server, shows its progress before, and the loop is free at once', async (t) => {
  const { host, tools, until, marks, home } = await startMcp(t, { test: testServer() })
  await until(() => tools().length > 0)
  const abort = new AbortController()
  const seen: string[] = []
  const answer = host.ledger
    .snapshot()
    .tools.get('mcp_test_wait')
    ?.execute(
      {},
      {
        ...call(abort.signal),
        progress(text) {
          seen.push(text)
          abort.abort()
        },
      },
    )
  assert.match(JSON.stringify(await answer), /"ok":false/)
  assert.deepEqual(seen, ['half (1 of 2)'])
  await changed(home, () => marks().includes('cancelled'))
})

test('M6 server `read` with the tool `file` and a tool `read_file` are two tools', async (t) => {
  const home = temporaryFolder(t)
  const { host, tools, until } = await startMcp(t, { read: testServer() }, { home })
  const own = answeringPlugin(join(home, 'plugins'), 'read_file', 'the file')
  await host.plugins.offer(own.folder, 'flag')
  await until(() => tools().includes('mcp_read_file'))
  assert.equal(await host.call('mcp_read_file'), 'the file of read')
  assert.equal(await host.call('read_file'), 'the file')
})

test('SAFE-6 a server gets amber’s environment without keys, and what mcp.json adds', async (t) => {
  const env = {
    OPENAI_API_KEY: 'sk-123456789',
    SECRET_OF_ACME: 'acme-12345',
    COPY: 'acme-12345',
    PLAIN: 'plain',
  }
  const server = testServer([], { env: { GIVEN: 'given' } })
  const { host, tools, until, mcp } = await startMcp(t, { test: server }, { env })
  await until(() => tools().length > 0)
  const read = (name: string) => host.call('mcp_test_env', { name })
  const names = ['OPENAI_API_KEY', 'SECRET_OF_ACME', 'COPY', 'PLAIN', 'GIVEN']
  assert.deepEqual(await Promise.all(names.map(read)), ['not set', 'not set', 'not set', 'plain', 'given'])
  assert.match(await mcp('show', 'test'), /\(with GIVEN\)/)
})

test('MCP-1 ${NAME} in mcp.json is amber’s own variable, with a default where it may be unset; no value is shown', async (t) => {
  const env = { TEST_TOKEN: 'hush-hush-1', EMPTY: '', FLAG: '--noise' }
  const server = testServer(['${FLAG}', '${TEST_TOKEN}'], {
    env: {
      A: 'x-${TEST_TOKEN}-y',
      B: '${NONE:-instead}',
      C: '${EMPTY:-full}',
      D: '${env:FLAG}',
      E: '$HOME ${}',
    },
  })
  const { host, tools, until, mcp } = await startMcp(t, { test: server }, { env })
  await until(() => tools().length > 0)
  const read = (name: string) => host.call('mcp_test_env', { name })
  assert.deepEqual(await Promise.all(['A', 'B', 'C', 'D', 'E'].map(read)), [
    'x-hush-hush-1-y',
    'instead',
    'full',
    '--noise',
    '$HOME ${}',
  ])
  const page = await mcp('show', 'test')
  assert.match(page, /mcp-server\.mjs \$\{FLAG\} \$\{TEST_TOKEN\} \(with A, B, C, D, E\)/)
  assert.doesNotMatch(page, /hush-hush/)
})

test('MCP-1 a variable that is not set is an error that names server, place and variable; the others work', async (t) => {
  const broken = testServer([], { env: { TOKEN: '${NO_TOKEN}' } })
  const web = { url: '${NO_BASE:-ftp}/mcp', headers: { Authorization: 'Bearer ${NO_TOKEN}' } }
  const { mcp, tools, until, part } = await startMcp(t, {
    broken,
    web,
    odd: { url: '${NO_BASE:-ftp}/x' },
    test: testServer(),
  })
  await until(() => tools().length > 0)
  const list = await mcp('list')
  assert.match(
    list,
    /broken .*the MCP server broken: env\.TOKEN names \$\{NO_TOKEN\}, which is not set\. Set it/,
  )
  assert.match(list, /web .*headers\.Authorization names \$\{NO_TOKEN\}/)
  assert.match(list, /odd .*its url, \$\{NO_BASE:-ftp\}\/x, is no http or https address/)
  assert.match(await mcp('connect', 'broken'), /NO_TOKEN\}, which is not set/)
  assert.deepEqual(
    part.states().map(({ name, connected, hasError }) => [name, connected, hasError]),
    [
      ['broken', false, true],
      ['web', false, true],
      ['odd', false, true],
      ['test', true, false],
    ],
  )
})

test('MCP-1 a server that wants to know who calls: the error says to give a token, and shows none', async (t) => {
  const server = createServer((request, response) => {
    response.writeHead(401, { 'content-type': 'text/plain' })
    response.end(`no: ${request.headers.authorization}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  atEnd(t, () => {
    server.close()
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const url = `http://127.0.0.1:${address.port}/mcp`
  for (const type of ['http', 'sse']) {
    const web = { type, url, headers: { Authorization: 'Bearer ${TEST_TOKEN}' } }
    const { mcp } = await startMcp(t, { web }, { env: { TEST_TOKEN: 'hush-hush-2' } })
    const line = await mcp('connect', 'web')
    assert.match(line, /web +failed, retried +it wants to know who calls \(HTTP 401\): give it a token/)
    assert.doesNotMatch(line + (await mcp('show', 'web')), /hush-hush/)
    await mcp('disconnect', 'web')
  }
})

test('MCP-1 streamable HTTP: headers are sent, tools answer, and the session is ended', async (t) => {
  const home = temporaryFolder(t)
  const url = await startHttp(t, home)
  const server = { type: 'http', url, headers: { 'x-test': 'sent' } }
  const { host, tools, until, marks, mcp } = await startMcp(t, { web: server }, { home })
  await until(() => tools().length > 0)
  assert.equal(await host.call('mcp_web_echo', { text: 'far' }), 'echo: far')
  await host.call('mcp_web_grow')
  await until(() => tools().includes('mcp_web_late'))
  await mcp('disconnect', 'web')
  assert.ok(marks().includes('POST sent'))
  assert.ok(marks().includes('DELETE sent'))
})

test('MCP-1 an address where nothing answers is an error by name', async (t) => {
  const { mcp } = await startMcp(t, { web: { url: 'http://127.0.0.1:9/mcp' } })
  assert.match(await mcp('connect', 'web'), /web +failed, retried +fetch failed/)
})

test('MCP-1 connect, disconnect and refresh do what they say; mcp.json is read anew', async (t) => {
  const { host, tools, mcp, write, part } = await startMcp(t, { test: testServer() })
  await mcp('connect', 'test')
  const before = host.ledger.snapshot().tools.get('mcp_test_echo')
  assert.match(await mcp('disconnect', 'test'), /test +disconnected/)
  assert.deepEqual(tools(), [])
  assert.match(await mcp('connect', 'test'), /test +connected +8 tools, 1 prompt, 2 resources/)
  assert.deepEqual(host.ledger.snapshot().tools.get('mcp_test_echo')?.parameters, before?.parameters)
  write({ test: testServer(), more: testServer() })
  assert.match(await mcp('refresh'), /more +connected/)
  assert.ok(tools().includes('mcp_more_echo'))
  write({ more: testServer() })
  await mcp('refresh')
  assert.ok(tools().every((name) => name.startsWith('mcp_more_')))
  assert.deepEqual(
    part.states().map(({ name }) => name),
    ['more'],
  )
  await assert.rejects(mcp('show', 'test'), /There is no MCP server test\. There are: more/)
})

test('LED-4 switching the plugin off ends its servers and takes their tools; on again, they are back', async (t) => {
  const home = temporaryFolder(t)
  const pids = join(home, 'pids')
  const { host, tools, mcp, part, until } = await startMcp(
    t,
    { test: testServer() },
    { home, env: { PIDS: pids } },
  )
  await mcp('connect', 'test')
  await host.plugins.disable('mcp')
  assert.deepEqual(tools(), [])
  assert.deepEqual(part.states(), [])
  await host.plugins.enable('mcp')
  await until(() => tools().includes('mcp_test_echo'))
  await host.plugins.shutdown()
  for (const pid of readFileSync(pids, 'utf8').trim().split('\n')) {
    assert.throws(() => process.kill(Number(pid), 0), /ESRCH/, `server ${pid} is gone`)
  }
})

test('MCP-1 a mistake in mcp.json is told with its place, and starts no server', async (t) => {
  const { mcp, tools } = await startMcp(t, { test: { command: 5 } })
  assert.match(await mcp('list'), /mcp\.json:1:\d+ mcpServers\.test\.command: /)
  assert.deepEqual(tools(), [])
})

test('MCP-1 without an mcp.json nothing of the plugin is loaded, and without a server not the SDK', async (t) => {
  const home = temporaryFolder(t)
  const line = startCommandLine(['command', 'mcp', 'list'], { home })
  assert.equal(await line.code, 1)
  assert.match(line.io.stderr() + line.io.stdout(), /There are no MCP servers: .*mcp\.json does not exist/)
  assert.ok(!existsSync(join(home, 'cache', 'plugins', 'mcp')))
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['plugins/mcp/index.ts'],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    outdir: 'out',
    write: false,
    metafile: true,
    external: ['amber-agent/sdk'],
  })
  const entry = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === 'plugins/mcp/index.ts',
  )
  const static_ = [entry?.[0] ?? '']
  for (const name of static_)
    for (const { path, kind } of metafile.outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && metafile.outputs[path]) static_.push(path)
  const loaded = static_.flatMap((name) => Object.keys(metafile.outputs[name]?.inputs ?? {}))
  assert.ok(loaded.includes('plugins/mcp/connections.ts'))
  assert.deepEqual(
    loaded.filter((path) => path.includes('node_modules')),
    [],
  )
})

test('MCP-1 a headless turn calls a server’s tool, in the very first request', async (t) => {
  const home = temporaryFolder(t)
  writeMcp(home, { test: testServer() })
  const line = startCommandLine(
    ['run', '--output', 'json', '--no-session', 'use mcp_test_echo with text "from afar"'],
    { home },
  )
  assert.equal(await line.code, 0, line.io.stderr())
  const { toolCalls } = JSON.parse(line.io.stdout())
  assert.deepEqual(
    toolCalls.map((one: Record<string, unknown>) => [one.name, one.plugin, one.ok]),
    [['mcp_test_echo', 'mcp', true]],
  )
})

function writeMcp(home: string, servers: Readonly<Record<string, unknown>>): void {
  mkdirSync(join(home, 'config'), { recursive: true })
  writeFileSync(join(home, 'config', 'mcp.json'), JSON.stringify({ mcpServers: servers }))
}

function call(signal: AbortSignal = new AbortController().signal) {
  return { id: 'call', conversation: 'test', signal, progress: (_text: string) => {} }
}

/** Waits until something holds that a write in a folder brings about. */
async function changed(folder: string, holds: () => boolean): Promise<void> {
  const watcher = watch(folder)
  try {
    await new Promise<void>((resolve) => {
      watcher.on('change', () => holds() && resolve())
      if (holds()) resolve()
    })
  } finally {
    watcher.close()
  }
}

async function startHttp(t: TestContext, home: string): Promise<string> {
  const { args } = testServer(['--http'])
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, MARK: join(home, 'marks') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEnd(t, () => child.kill())
  const [line] = await new Promise<readonly string[]>((resolve) =>
    child.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString().split('\n'))),
  )
  return line ?? ''
}
