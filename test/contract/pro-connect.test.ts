import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { finishChunk, sendJson, sendStream, startModelServer, textChunk } from '../support/model-server.ts'
import { createRecordingSink } from '../support/recording-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testApp } from '../support/test-app.ts'

const open: (() => Promise<void>)[] = []
after(() => Promise.all(open.map((close) => close())))

/** An app whose provider `openrouter` is a server on this machine. */
async function appWith(t: TestContext, file: Readonly<Record<string, unknown>> = {}) {
  let balance = 7.5
  const server = await startModelServer((response, { path }) => {
    if (path.endsWith('/models')) sendJson(response, 200, { data: [{ id: 'm', context_length: 4096 }] })
    else if (path.endsWith('/key')) sendJson(response, 200, { data: { limit_remaining: balance-- } })
    else sendStream(response, textChunk('hello'), finishChunk(), '[DONE]')
  })
  open.push(() => server.close())
  const home = temporaryFolder(t)
  mkdirSync(join(home, 'config', 'providers'), { recursive: true })
  const openrouter = { apiBase: `${server.origin}/api/v1`, apiKey: 'key-0123456789', model: 'm', ...file }
  writeFileSync(join(home, 'config', 'providers', 'openrouter.json'), JSON.stringify(openrouter))
  const app = await testApp(t, { home, bundled: true, env: { AMBER_HOME: home } })
  return { app, home, server }
}

/** Waits for the loop to turn until something holds; the test's own timeout ends it otherwise. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

const options = { provider: 'openrouter', mode: 'read', session: 'none' } as const

test('PRO-7 a conversation learns the context window from the list, and the next run from what was kept', async (t) => {
  const { app, server } = await appWith(t)
  const headless = await app.createAgent(options)
  assert.equal(headless.contextWindow?.(), undefined)
  assert.equal(server.seen.length, 0, 'a headless run asks for nothing but its answer')
  const talking = await app.createAgent({ ...options, interactive: true })
  await until(() => talking.contextWindow?.() === 4096)
  assert.equal((await app.createAgent(options)).contextWindow?.(), 4096)
  await app.createAgent({ ...options, interactive: true })
  assert.equal(server.seen.filter(({ path }) => path.endsWith('/models')).length, 1)
})

test('PRO-7 what the user wrote of a context window stands above the list, and the settings below it', async (t) => {
  const { app } = await appWith(t, { contextWindow: 1024 })
  const agent = await app.createAgent({ ...options, interactive: true })
  assert.equal(agent.contextWindow?.(), 1024)
  const other = await appWith(t)
  writeFileSync(join(other.home, 'config', 'config.json'), JSON.stringify({ contextWindow: 2048 }))
  assert.equal((await other.app.createAgent(options)).contextWindow?.(), 2048)
  const learnt = await other.app.createAgent({ ...options, interactive: true })
  await until(() => learnt.contextWindow?.() === 4096)
})

test('WAL-1 a conversation has its provider’s balance; a headless run asks for none', async (t) => {
  const { app, server } = await appWith(t)
  const headless = await app.createAgent(options)
  await headless.turn('hi', { signal: new AbortController().signal, sink: createRecordingSink() })
  assert.equal(headless.account?.(), undefined)
  assert.ok(server.seen.every(({ path }) => !path.endsWith('/key')))
  const talking = await app.createAgent({ ...options, interactive: true })
  await until(() => talking.account?.()?.text === '$7.50')
  const other = await app.createAgent({ ...options, provider: 'rehearsal', interactive: true })
  assert.equal(other.account?.()?.text, '-')
  assert.equal(talking.account?.(), undefined, 'the bar shows the provider in use only')
  await talking.turn('hi', { signal: new AbortController().signal, sink: createRecordingSink() })
  assert.equal(talking.account?.()?.text, '$7.50')
})
