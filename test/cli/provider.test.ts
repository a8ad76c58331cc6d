import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { startAmber } from '../support/amber-process.ts'
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

function homeWith(t: TestContext, name: string, file: Readonly<Record<string, unknown>>): string {
  const home = temporaryFolder(t)
  mkdirSync(join(home, 'config', 'providers'), { recursive: true })
  writeFileSync(join(home, 'config', 'providers', `${name}.json`), JSON.stringify(file), { mode: 0o600 })
  return home
}

async function run(home: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return startAmber(argv, { home, env }).finished
}

test('PRO-5 the flavor of a disabled plugin fails loudly, with the command that mends it', async (t) => {
  const file = { apiBase: 'http://127.0.0.1:9', model: 'm', flavor: 'anthropic', requiresKey: false }
  const home = homeWith(t, 'mine', file)
  assert.equal((await run(home, ['plugin', 'off', 'anthropic'])).code, 0)
  for (const argv of [
    ['run', 'hi', '--provider', 'mine'],
    ['provider', 'test', 'mine'],
  ]) {
    const { code, out, err } = await run(home, argv)
    assert.deepEqual([code, out], [3, ''])
    assert.match(err, /protocol anthropic belongs to the plugin anthropic, which is switched off/)
    const remedy = /amber (plugin on anthropic)/.exec(err)?.[1]
    assert.ok(remedy, err)
  }
  assert.equal((await run(home, ['plugin', 'on', 'anthropic'])).code, 0)
  const mended = await run(home, ['provider', 'test', 'mine'])
  assert.equal(mended.code, 1)
  assert.match(mended.err, /127\.0\.0\.1:9 refuses connections/)
})

test('PRO-5 a flavor that nobody knows is taken for openai, with one notice', async (t) => {
  const server = await startModelServer((response) =>
    sendStream(response, textChunk('spoke openai'), finishChunk(), '[DONE]'),
  )
  open.push(() => server.close())
  const home = homeWith(t, 'mine', { apiBase: `${server.origin}/v1`, model: 'm', flavor: 'unheard' })
  const { code, out, err } = await run(home, ['run', 'hi', '--provider', 'mine'])
  assert.deepEqual([code, out], [0, 'spoke openai\n'])
  assert.equal(err.match(/No plugin brings the protocol "unheard"/g)?.length, 1)
})

const CANARY = 'cnry-7Qz9_live.WatchMe+0123456789/abc=='
const HALF = CANARY.slice(8, 28)

/** What servers do with a key that they were sent. */
const TELLTALES: Readonly<Record<string, Answer>> = {
  'a 401 that quotes the key': (response, { headers }) =>
    sendJson(response, 401, { error: { message: `Incorrect API key provided: ${headers.authorization}` } }),
  'a 500 that echoes all headers': (response, { headers }) => sendJson(response, 500, { headers }),
  'a page that echoes all headers': (response, { headers }) =>
    sendJson(response, 200, `<html><pre>${JSON.stringify(headers)}</pre></html>`, {
      'content-type': 'text/html',
    }),
  'an error inside the stream that quotes the key': (response, { headers }) =>
    sendStream(
      response,
      textChunk('well'),
      JSON.stringify({ error: { message: `key ${headers.authorization} was revoked`, code: 401 } }),
    ),
  'a malformed event that echoes all headers': (response, { headers }) =>
    sendStream(response, `{"headers": ${JSON.stringify(JSON.stringify(headers))}`, finishChunk(), '[DONE]'),
  'an answer that says the key': (response, { headers }) => {
    const key = String(headers.authorization).replace('Bearer ', '')
    sendStream(
      response,
      textChunk(`You sent ${key.slice(0, 15)}`),
      textChunk(`${key.slice(15)}!`),
      finishChunk(),
      '[DONE]',
    )
  },
  'a tool call with the key in it': (response, { headers }, number) => {
    const call = { name: 'greet', arguments: JSON.stringify({ name: headers.authorization }) }
    const delta = { tool_calls: [{ index: 0, id: `c${number}`, function: call }] }
    if (number % 2 === 1)
      sendStream(
        response,
        JSON.stringify({ choices: [{ index: 0, delta }] }),
        finishChunk('tool_calls'),
        '[DONE]',
      )
    else sendStream(response, textChunk('done'), finishChunk(), '[DONE]')
  },
  'a redirect with the key in its address': (response, { headers }) => {
    response.writeHead(302, {
      location: `/elsewhere?key=${encodeURIComponent(String(headers.authorization))}`,
    })
    response.end(`Moved: ${headers.authorization}`)
  },
}

/** Every text that amber left below a folder. */
function textsBelow(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => {
      const path = join(item.parentPath, item.name)
      return [path, readFileSync(path, 'latin1')]
    })
}

for (const [what, answer] of Object.entries(TELLTALES)) {
  test(`PRO-13 no key in anything that amber writes or prints: ${what}`, async (t) => {
    const server = await startModelServer(answer)
    open.push(() => server.close())
    const home = homeWith(t, 'acme', { apiBase: `${server.origin}/v1`, model: 'm', apiKey: CANARY })
    const env = { AMBER_API_KEY: CANARY, OPENAI_API_KEY: CANARY, AMBER_DEBUG: '1' }
    const printed: string[] = []
    const argvs = [
      ['run', 'hi'],
      ['run', 'hi', '--output', 'json'],
      ['run', 'hi', '--output', 'stream-json'],
      ['provider', 'test', 'acme', '--json'],
      ['provider', 'models', 'acme'],
    ]
    const finished = await Promise.all(argvs.map((argv) => run(home, [...argv, '--provider', 'acme'], env)))
    for (const { out, err } of finished) printed.push(out, err)
    assert.ok(
      server.seen.some(({ headers }) => headers.authorization === `Bearer ${CANARY}`),
      'the key was really sent',
    )
    const own = join(home, 'config', 'providers', 'acme.json')
    const left = textsBelow(home).filter(([path]) => path !== own)
    for (const [where, text] of [...left, ...printed.map((text, at) => [`output ${at}`, text] as const)]) {
      for (const secret of [CANARY, encodeURIComponent(CANARY), HALF]) {
        assert.ok(!text.includes(secret), `${where} holds the key: ${text.slice(0, 2000)}`)
      }
    }
  })
}
