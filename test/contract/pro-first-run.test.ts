import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startCommandLine } from '../support/command-line.ts'
import { finishChunk, sendJson, sendStream, startModelServer, textChunk } from '../support/model-server.ts'
import { plainManifest } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const open: (() => Promise<void>)[] = []
after(() => Promise.all(open.map((close) => close())))

/** A model server, and one that never answers, with a plugin folder that has a preset for each, and one with a key. */
async function neighbourhood(home: string, models: readonly string[]) {
  const server = await startModelServer((response, { method }) => {
    if (method === 'GET') sendJson(response, 200, { data: models.map((id) => ({ id })) })
    else sendStream(response, textChunk('Hello from the server.'), finishChunk(), '[DONE]')
  })
  const silent = await startModelServer(() => {})
  open.push(
    () => server.close(),
    () => silent.close(),
  )
  const preset = (name: string, origin: string) => ({ name, apiBase: `${origin}/v1`, requiresKey: false })
  const keyed = {
    name: 'keyed',
    apiBase: `${server.origin}/v1`,
    defaultModel: 'keyed-1',
    keyEnv: ['KEYED_KEY'],
  }
  const presets = [preset('near', server.origin), preset('silent', silent.origin), keyed]
  mkdirSync(join(home, 'plugin'))
  writeFileSync(
    join(home, 'plugin', 'plugin.json'),
    JSON.stringify({
      ...plainManifest('around'),
      capabilities: { providers: [{ flavor: 'openai', presets }] },
    }),
  )
  return { server, silent }
}

const KEY = 'first-run-key-0123456789'

test('PRO-2 the first conversation offers local servers and keys by name, and sends no key before one is chosen', async (t) => {
  const home = temporaryFolder(t)
  const { server, silent } = await neighbourhood(home, ['small', 'large'])
  const chat = startCommandLine(['--no-plugins', '--plugin', join(home, 'plugin'), '--no-session'], {
    home,
    terminal: true,
    stdin: 'terminal',
    env: { KEYED_KEY: KEY, AMBER_API_KEY: '' },
  })
  await chat.sees('No provider is chosen yet. amber could use:\n')
  await chat.sees('1  keyed  its key is set in KEYED_KEY, model keyed-1\n')
  await chat.sees(`2  near   a server on this machine answers at ${server.origin}/v1 (2 models)\n`)
  await chat.sees('Which one? [1-2] ')
  assert.equal(silent.seen.length, 1, 'was asked, and did not answer in time')
  assert.ok(
    server.seen.every(({ method, headers }) => method === 'GET' && headers.authorization === undefined),
  )
  chat.types('7\r')
  await chat.sees('Type a number from 1 to 2, or nothing.')
  chat.types('2\r')
  await chat.sees('2  large\n')
  await chat.sees('Which model? [1-2] ')
  chat.types('2\r')
  await chat.sees('Use near from now on, without asking? [y/N] ')
  chat.types('\r')
  await chat.sees('near · large')
  await chat.sees('> ')
  chat.types('hello\r')
  await chat.sees('Hello from the server.')
  await chat.sees('> ')
  chat.types('\u0003')
  assert.equal(await chat.code, 0)
  const asked = server.seen.find(({ method }) => method === 'POST')
  assert.equal(JSON.parse(asked?.body ?? '{}').model, 'large')
  assert.ok(server.seen.every(({ headers }) => headers.authorization === undefined))
  assert.equal(
    existsSync(join(home, 'config', 'config.json')),
    false,
    'nothing is written unless it is asked for',
  )
})

test('PRO-2 a choice is kept when the user says so, and then nothing is asked any more', async (t) => {
  const home = temporaryFolder(t)
  const { server } = await neighbourhood(home, ['only'])
  const start = () =>
    startCommandLine(['--no-plugins', '--plugin', join(home, 'plugin'), '--no-session'], {
      home,
      terminal: true,
      stdin: 'terminal',
      env: { KEYED_KEY: KEY },
    })
  const chat = start()
  await chat.sees('Which one? ')
  chat.types('1\r')
  await chat.sees('without asking? [y/N] ')
  chat.types('y\r')
  await chat.sees('keyed · keyed-1')
  await chat.sees('> ')
  chat.types('\u0003')
  assert.equal(await chat.code, 0)
  assert.deepEqual(JSON.parse(readFileSync(join(home, 'config', 'config.json'), 'utf8')), {
    provider: 'keyed',
  })
  const probes = server.seen.length
  const again = start()
  await again.sees('keyed · keyed-1')
  await again.sees('> ')
  again.types('\u0003')
  assert.equal(await again.code, 0)
  assert.ok(server.seen.slice(probes).every(({ headers }) => headers.authorization === `Bearer ${KEY}`))
})

test('PRO-2 leaving the question chooses nothing', async (t) => {
  const home = temporaryFolder(t)
  await neighbourhood(home, ['only'])
  const chat = startCommandLine(['--no-plugins', '--plugin', join(home, 'plugin')], {
    home,
    terminal: true,
    stdin: 'terminal',
  })
  await chat.sees('Which one? ')
  chat.types('\u0003')
  assert.equal(await chat.code, 130)
  assert.equal(existsSync(join(home, 'config', 'config.json')), false)
})

test('PRO-2 off a terminal nothing is probed and nothing is offered', async (t) => {
  const home = temporaryFolder(t)
  const { server, silent } = await neighbourhood(home, ['only'])
  const run = startCommandLine(['run', 'hi', '--no-plugins', '--plugin', join(home, 'plugin')], {
    home,
    env: { KEYED_KEY: KEY },
  })
  assert.equal(await run.code, 3)
  assert.match(run.io.stderr(), /KEYED_KEY is set.*\n.*--provider keyed/)
  assert.equal(server.seen.length + silent.seen.length, 0)
})
