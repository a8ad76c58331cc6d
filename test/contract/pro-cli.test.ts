import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { runCommandLine, startCommandLine } from '../support/command-line.ts'
import {
  type Answer,
  finishChunk,
  sendJson,
  sendStream,
  startModelServer,
  textChunk,
} from '../support/model-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const open: (() => Promise<void>)[] = []
after(() => Promise.all(open.map((close) => close())))

async function serve(answer: Answer) {
  const server = await startModelServer(answer)
  open.push(() => server.close())
  return server
}

/** A home with one provider file. */
function homeWith(t: TestContext, file: Readonly<Record<string, unknown>>, name = 'acme'): string {
  const home = temporaryFolder(t)
  mkdirSync(join(home, 'config', 'providers'), { recursive: true })
  writeFileSync(join(home, 'config', 'providers', `${name}.json`), JSON.stringify(file))
  return home
}

const KEY = 'key-of-the-test-0123456789'
const read = (home: string, ...path: readonly string[]) =>
  JSON.parse(readFileSync(join(home, 'config', ...path), 'utf8'))

test('PRO-12 provider test sends one small question and says how long it took', async (t) => {
  const server = await serve((response) => sendStream(response, textChunk('OK'), finishChunk(), '[DONE]'))
  const home = homeWith(t, { apiBase: `${server.origin}/v1`, model: 'acme-1', apiKey: KEY })
  const { code, out } = await runCommandLine(['provider', 'test', 'acme', '--no-plugins'], { home })
  assert.equal(code, 0)
  assert.match(
    out,
    /^acme \(model acme-1\) answered in \d+ ms, the first word after \d+ ms\.\nIt said: OK\n$/,
  )
  assert.equal(server.seen.length, 1)
  const json = await runCommandLine(['provider', 'test', '--json', '--no-plugins'], { home })
  const shown = JSON.parse(json.out)
  assert.deepEqual([shown.ok, shown.provider, shown.text], [true, 'acme', 'OK'])
})

const failures: readonly (readonly [kind: string, answer: Answer, remedy: RegExp])[] = [
  ['auth', (r) => sendJson(r, 401, { error: { message: 'bad key' } }), /Check the key/],
  ['quota', (r) => sendJson(r, 402, { error: { message: 'no credit' } }), /Add credit/],
  ['rate-limit', (r) => sendJson(r, 429, { error: { message: 'slow down' } }), /Wait a little/],
  ['overloaded', (r) => sendJson(r, 529, { error: { message: 'busy' } }), /in a minute/],
  [
    'context-overflow',
    (r) => sendJson(r, 400, { error: { message: "This model's maximum context length is 8 tokens" } }),
    /Shorten/,
  ],
  ['bad-request', (r) => sendJson(r, 400, { error: { message: 'what?' } }), /Check the model/],
  ['server', (r) => sendJson(r, 500, { error: { message: 'oops' } }), /status page/],
  ['protocol', (r) => sendJson(r, 200, '<html>portal</html>', { 'content-type': 'text/html' }), /API base/],
  ['network', (r) => r.destroy(), /network|API base/i],
]

for (const [kind, answer, remedy] of failures) {
  test(`PRO-12 provider test names what is wrong and the remedy: ${kind}`, async (t) => {
    const server = await serve(answer)
    const home = homeWith(t, { apiBase: `${server.origin}/v1`, model: 'acme-1', apiKey: KEY })
    const plain = await runCommandLine(['provider', 'test', 'acme', '--no-plugins'], { home })
    assert.deepEqual([plain.code, plain.out], [1, ''])
    const [message = '', hint = '', ...more] = plain.err.trimEnd().split('\n')
    assert.match(message, /^error: .* It took \d/)
    assert.match(hint, remedy)
    assert.deepEqual(more, [])
    assert.equal(server.seen.length, 1, 'asked once')
    const json = await runCommandLine(['provider', 'test', 'acme', '--json', '--no-plugins'], { home })
    assert.equal(JSON.parse(json.out).error.kind, kind)
  })
}

test('PRO-12 provider test names the models that a misspelt one most likely meant', async (t) => {
  const server = await serve((response, { method }) => {
    if (method === 'GET') sendJson(response, 200, { data: [{ id: 'acme-large' }, { id: 'other' }] })
    else sendJson(response, 404, { error: { message: 'no such model' } })
  })
  const home = homeWith(t, { apiBase: `${server.origin}/v1`, model: 'acme-lage' })
  const { code, err } = await runCommandLine(['provider', 'test', '--no-plugins'], { home })
  assert.equal(code, 1)
  assert.match(err, /Did you mean acme-large\?/)
})

test('PRO-12 provider test says what a stall or a cancellation was', async (t) => {
  const server = await serve(() => {})
  const home = homeWith(t, { apiBase: `${server.origin}/v1`, model: 'acme-1' })
  const running = startCommandLine(['provider', 'test', '--no-plugins'], { home })
  while (server.seen.length === 0) await new Promise((resolve) => setImmediate(resolve))
  running.io.interrupt()
  assert.equal(await running.code, 130)
  assert.match(running.io.stderr(), /cancelled/)
})

test('PRO-12 a key that is missing exits 3 and names the command that stores it', async (t) => {
  const home = homeWith(t, {
    apiBase: 'https://acme.test/v1',
    model: 'm',
    apiKeyEnv: 'ACME_KEY',
    requiresKey: true,
  })
  const { code, err } = await runCommandLine(['provider', 'test', 'acme', '--no-plugins'], { home })
  assert.equal(code, 3)
  assert.match(err, /Set ACME_KEY, or store one with: amber provider add acme/)
})

test('PRO-7 provider models lists context windows and prices, keeps the list, and says how old it is', async (t) => {
  let count = 0
  const server = await serve((response) => {
    count++
    if (count < 3)
      sendJson(response, 200, {
        data: [
          {
            id: 'a\u001b[31m',
            context_length: 131072,
            pricing: { prompt: '0.00000005', completion: '0.0000004' },
          },
          { id: 'b', meta: { n_ctx: 4096, n_ctx_train: 40960 } },
          { id: 'router', pricing: { prompt: '-1', completion: '-1' } },
          { id: 'gift', pricing: { prompt: '0', completion: 0 } },
        ],
      })
    else sendJson(response, 500, { error: { message: 'down' } })
  })
  const home = homeWith(t, { apiBase: `${server.origin}/v1?key=${KEY}` })
  const list = (...more: readonly string[]) =>
    runCommandLine(['provider', 'models', 'acme', '--no-plugins', ...more], { home })
  const first = await list()
  assert.deepEqual([first.code, first.err], [0, ''])
  assert.deepEqual(
    first.out.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' | ')),
    [
      'a | 131,072 tokens | $0.05 in, $0.40 out',
      'b | 4,096 tokens, made for 40,960 tokens | -',
      'router | - | -',
      'gift | - | free',
      '',
    ],
  )
  assert.doesNotMatch(first.out, /\u001b/)
  const kept = await list()
  assert.equal(kept.out, first.out)
  assert.match(kept.err, /Fetched less than a minute ago; --refresh asks again/)
  assert.equal(count, 1)
  assert.equal(JSON.parse((await list('--json')).out).cached, true)
  assert.equal((await list('--refresh')).err, '')
  const down = await list('--refresh')
  assert.deepEqual([down.code, down.out], [0, first.out])
  assert.match(down.err, /down.*\nThis is the list that was kept/)
  const cache = readFileSync(join(home, 'cache', 'models', 'acme.json'), 'utf8')
  assert.ok(!cache.includes(KEY))
})

test('PRO-13 provider add reads a key from a pipe, stores it for its owner alone, and never shows it', async (t) => {
  const home = temporaryFolder(t)
  const adding = startCommandLine(
    ['provider', 'add', 'acme', '--api-base', 'https://acme.test/v1', '--model', 'acme-1', '--no-plugins'],
    { home, stdin: 'pipe' },
  )
  adding.io.input.end(`${KEY}\n`)
  assert.equal(await adding.code, 0)
  const file = join(home, 'config', 'providers', 'acme.json')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(read(home, 'providers', 'acme.json'), {
    provider: 'acme',
    apiBase: 'https://acme.test/v1',
    model: 'acme-1',
    requiresKey: true,
    apiKey: KEY,
  })
  assert.ok(!(adding.io.stdout() + adding.io.stderr()).includes(KEY))
  assert.match(adding.io.stdout(), /amber provider test acme/)
})

test('PRO-13 provider add asks on a terminal and shows nothing of what is typed', async (t) => {
  const home = temporaryFolder(t)
  const adding = startCommandLine(
    ['provider', 'add', 'acme', '--api-base', 'http://127.0.0.1:9/v1', '--no-plugins'],
    {
      home,
      terminal: true,
      stdin: 'terminal',
    },
  )
  await adding.sees('Key of acme (nothing is shown as you type; empty for none): ')
  adding.types(KEY)
  adding.types('\r')
  assert.equal(await adding.code, 0)
  assert.equal(read(home, 'providers', 'acme.json').apiKey, KEY)
  assert.ok(!(adding.io.stdout() + adding.io.stderr()).includes(KEY.slice(0, 6)))
})

test('PRO-13 amber command provider add asks on a terminal, and shows nothing of the key', async (t) => {
  const home = temporaryFolder(t)
  const adding = startCommandLine(
    ['command', 'provider', 'add', 'acme', 'http://127.0.0.1:9/v1', '--no-plugins'],
    { home, terminal: true, stdin: 'terminal' },
  )
  await adding.sees('Its model (empty: chosen later with /set model): ')
  adding.types('acme-1\r')
  await adding.sees('The key of acme (it is not shown; empty: none): ')
  adding.types(`${KEY}\r`)
  assert.equal(await adding.code, 0)
  assert.deepEqual(
    [read(home, 'providers', 'acme.json').apiKey, read(home, 'providers', 'acme.json').model],
    [KEY, 'acme-1'],
  )
  assert.ok(!(adding.io.stdout() + adding.io.stderr()).includes(KEY.slice(0, 6)))
})

test('PRO-13 provider add stores a variable’s name in place of a key, and takes no key from the command line', async (t) => {
  const home = homeWith(t, { apiBase: 'https://acme.test/v1', apiKey: KEY, model: 'm' })
  const add = (...argv: readonly string[]) =>
    runCommandLine(['provider', 'add', 'acme', '--no-plugins', ...argv], { home })
  assert.equal((await add('--key-env', 'ACME_KEY')).code, 0)
  const kept = { provider: 'acme', apiBase: 'https://acme.test/v1', model: 'm' }
  assert.deepEqual(read(home, 'providers', 'acme.json'), {
    ...kept,
    apiKeyEnv: 'ACME_KEY',
    requiresKey: true,
  })
  for (const argv of [['--api-key', KEY], [`--api-key=${KEY}`], ['--key-env', KEY]]) {
    const { code, out, err } = await add(...argv)
    assert.equal(code, 2)
    assert.ok(!(out + err).includes(KEY), err)
  }
  const odd = startCommandLine(['provider', 'add', 'acme', '--no-plugins'], { home, stdin: 'pipe' })
  odd.io.input.end('a key\nand more\n')
  assert.equal(await odd.code, 1)
  assert.equal(read(home, 'providers', 'acme.json').apiKey, undefined)
})

test('PRO-6 provider add says what is missing, and knows the protocols there are', async (t) => {
  const home = temporaryFolder(t)
  const add = (...argv: readonly string[]) => runCommandLine(['provider', 'add', ...argv], { home })
  assert.match((await add('mine')).err, /where mine is.\n.*--api-base/)
  assert.match((await add('opnrouter')).err, /Did you mean openrouter/)
  const wrong = await add('mine', '--api-base', 'http://127.0.0.1:9/v1', '--flavor', 'opnai')
  assert.match(wrong.err, /No plugin brings the protocol opnai.\nDid you mean openai/)
  assert.equal(existsSync(join(home, 'config', 'providers')), false)
  const bad = await add('mine', '--api-base', 'ftp://x', '--no-key')
  assert.deepEqual([bad.code, /http/.test(bad.err)], [1, true])
})

test('PRO-1 provider use writes the choice, with the model, and drops the model of another provider', async (t) => {
  const home = homeWith(t, { apiBase: 'http://127.0.0.1:9/v1', model: 'm' })
  const run = (...argv: readonly string[]) => runCommandLine(['provider', ...argv, '--no-plugins'], { home })
  assert.equal((await run('use', 'acme', '--model', 'big')).code, 0)
  assert.deepEqual(read(home, 'config.json'), { model: 'big', provider: 'acme' })
  writeFileSync(
    join(home, 'config', 'providers', 'other.json'),
    JSON.stringify({ apiBase: 'http://127.0.0.1:9' }),
  )
  const other = await run('use', 'other')
  assert.deepEqual(read(home, 'config.json'), { provider: 'other' })
  assert.match(other.err, /needs a model: amber provider models other/)
  const unknown = await run('use', 'acne')
  assert.deepEqual([unknown.code, /acme/.test(unknown.err)], [1, true])
})

test('PRO-6 provider remove takes the file, its key and the choice', async (t) => {
  const home = homeWith(t, { apiBase: 'http://127.0.0.1:9/v1', model: 'm', apiKey: KEY })
  const run = (...argv: readonly string[]) => runCommandLine(['provider', ...argv], { home })
  await run('use', 'acme')
  const removed = await run('remove', 'acme')
  assert.equal(removed.code, 0)
  assert.match(removed.err, /choose another/)
  assert.equal(existsSync(join(home, 'config', 'providers', 'acme.json')), false)
  assert.deepEqual(read(home, 'config.json'), {})
  assert.match((await run('remove', 'openai')).err, /amber plugin off openai/)
  assert.equal((await run('remove', 'acme')).code, 1)
})

test('WAL-6 provider wallet shows a dash for a provider that tells nothing', async (t) => {
  const home = homeWith(t, { apiBase: 'http://127.0.0.1:9/v1', model: 'm' })
  const { code, out } = await runCommandLine(['provider', 'wallet', '--no-plugins'], { home })
  assert.deepEqual([code, out], [0, 'acme  balance  -\n'])
  const json = await runCommandLine(['provider', 'wallet', '--json', '--no-plugins'], { home })
  assert.deepEqual(JSON.parse(json.out), { provider: 'acme', text: '-', balances: null, allowance: null })
})

test('WAL-2 provider wallet shows the balance that the plugin reads', async (t) => {
  const server = await serve((response) => sendJson(response, 200, { data: { limit_remaining: 7.5 } }))
  const home = homeWith(t, { apiBase: `${server.origin}/api/v1`, apiKey: KEY }, 'openrouter')
  const { code, out } = await runCommandLine(['provider', 'wallet', '--provider', 'openrouter'], { home })
  assert.deepEqual([code, out], [0, 'openrouter  balance  $7.50\n'])
  assert.equal(server.seen[0]?.path, '/api/v1/key')
})
