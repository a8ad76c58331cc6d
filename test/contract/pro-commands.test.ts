import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createConnector } from '../../host/app/connector.ts'
import { providerCommands } from '../../host/app/provider-commands.ts'
import { systemClock } from '../../host/base/clock.ts'
import { createConfigStore } from '../../host/base/config.ts'
import { nextOf, withChoice } from '../../host/cli/continue-with.ts'
import { createKnownModels } from '../../host/cli/screen/models.ts'
import { createModelCache } from '../../host/llm/model-cache.ts'
import { readProviderFiles } from '../../host/llm/provider-files.ts'
import { listProviders } from '../../host/llm/provider-rows.ts'
import { createTransport } from '../../host/llm/transport.ts'
import { atEnd } from '../support/at-end.ts'
import { handMadeSnapshot } from '../support/hand-made.ts'
import { finishChunk, sendJson, sendStream, startModelServer, textChunk } from '../support/model-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KEY = 'key-of-the-test-0123456789'

/** Commands of a home without plugins; `answers` are given to questions in order, undefined is Esc. */
function commandsOf(t: Parameters<typeof temporaryFolder>[0], answers: (string | undefined)[] = []) {
  const config = temporaryFolder(t)
  const snapshot = () => handMadeSnapshot()
  const settings = createConfigStore(config, systemClock)
  const transport = createTransport({ clock: systemClock, env: {} })
  atEnd(t, () => transport.close())
  const sources = async (flags = {}) => {
    const { files } = await readProviderFiles(config)
    const { providers, unavailable } = snapshot()
    return { flags, env: {}, config: await settings.read(), files, providers, unavailable }
  }
  const models = createModelCache(config)
  const connect = createConnector({ transport, clock: systemClock, sources, models, snapshot })
  const asked: string[] = []
  const answer = async (question: string) => {
    asked.push(question)
    return answers.shift()
  }
  const providers = async () => listProviders(await sources())
  const commands = providerCommands({
    snapshot,
    providers,
    connect,
    clock: systemClock,
    config,
    settings,
    ui: { askText: answer, askSecret: answer },
  })
  const run = async (path: string, text: string) =>
    String(
      await commands.get(path)?.({
        text,
        words: text === '' ? [] : text.split(' '),
        signal: new AbortController().signal,
      }),
    )
  return { config, settings, asked, run, providers, connect, models }
}

test('PRO-13 /provider add asks for what is missing, stores the key for its owner alone, and repeats it nowhere', async (t) => {
  const { config, asked, run } = commandsOf(t, ['https://acme.test/v1', 'acme-1', ` ${KEY} `])
  const said = await run('provider.add', 'acme')
  assert.deepEqual(
    asked.map((one) => /address|model|key/.exec(one)?.[0]),
    ['address', 'model', 'key'],
  )
  const path = join(config, 'providers', 'acme.json')
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), {
    provider: 'acme',
    apiBase: 'https://acme.test/v1',
    model: 'acme-1',
    apiKey: KEY,
    requiresKey: true,
  })
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.match(said, /^Stored acme .*\nTry it: \/provider test acme\nUse it: \/set provider acme$/)
  assert.ok(!said.includes(KEY) && !asked.join().includes(KEY))
})

test('/provider edit keeps what an empty answer leaves, and warns of a key in the clear', async (t) => {
  const { config, run } = commandsOf(t, [KEY, '', 'acme-2', ''])
  assert.match(await run('provider.add', 'acme http://acme.test/v1 acme-1'), /cross the network in the clear/)
  await run('provider.edit', 'acme')
  const file = JSON.parse(readFileSync(join(config, 'providers', 'acme.json'), 'utf8'))
  assert.deepEqual([file.apiBase, file.model, file.apiKey], ['http://acme.test/v1', 'acme-2', KEY])
  await assert.rejects(run('provider.edit', 'acm'), /There is no provider acm/)
})

test('PRO-13 /provider add writes nothing when a question is left, and does not repeat a wrong key', async (t) => {
  const left = commandsOf(t, ['https://acme.test/v1', undefined])
  await assert.rejects(left.run('provider.add', 'acme'), /nothing was written/)
  assert.ok(!existsSync(join(left.config, 'providers')))
  const wrong = commandsOf(t, [`${KEY} and more`])
  await assert.rejects(wrong.run('provider.add', 'acme https://acme.test/v1 m'), (thrown: Error) => {
    assert.match(thrown.message, /is no key/)
    return !thrown.message.includes(KEY)
  })
  await assert.rejects(wrong.run('provider.add', '../evil https://acme.test/v1 m'), /must be a name/)
  assert.ok(!existsSync(join(wrong.config, 'providers')))
})

test('/provider delete takes the file and the choice of it; /provider test asks once', async (t) => {
  const server = await startModelServer((response) =>
    sendStream(response, textChunk('OK'), finishChunk(), '[DONE]'),
  )
  atEnd(t, () => server.close())
  const { run, settings } = commandsOf(t, [KEY])
  await run('provider.add', `acme ${server.origin}/v1 acme-1`)
  await settings.set('provider', 'acme')
  assert.match(await run('provider.test', ''), /^acme \(model acme-1\) answered in .*\nIt said: OK$/)
  assert.equal(server.seen.length, 1)
  assert.match(await run('provider.delete', 'acme'), /deleted, its key included.*It was the one in use/)
  assert.equal(await settings.get('provider'), undefined)
  await assert.rejects(run('provider.delete', 'acme'), /There is no provider acme/)
})

test('the picker knows the models of all providers from kept lists, and asks for lists only when told to', async (t) => {
  const server = await startModelServer((response) =>
    sendJson(response, 200, {
      data: [{ id: 'big', context_length: 400_000, pricing: { prompt: '0.000002', completion: '0.00001' } }],
    }),
  )
  atEnd(t, () => server.close())
  const { run, providers, connect, models } = commandsOf(t, [KEY, KEY])
  await run('provider.add', `acme ${server.origin}/v1 small`)
  await run('provider.add', `gone http://127.0.0.1:9/v1 other`)
  const known = createKnownModels(() => ({ providers, connect, modelCache: models }))
  assert.deepEqual(await known.load(), [
    { provider: 'acme', id: 'small', isUnlisted: true },
    { provider: 'gone', id: 'other', isUnlisted: true },
  ])
  assert.equal(server.seen.length, 0)
  let parts = 0
  await known.fetch(() => parts++)
  assert.deepEqual(await known.load(), [
    { provider: 'acme', id: 'big', contextWindow: 400_000, price: { input: 2, output: 10 } },
    { provider: 'gone', id: 'other', isUnlisted: true },
  ])
  assert.deepEqual([parts, known.of('acme')], [1, ['big']])
})

test('PRO-13 another provider gets neither the address nor the model that this run was started with', () => {
  const options = { mode: 'write', provider: 'acme', model: 'm', apiBase: 'http://acme.test' } as const
  const plain = (choice: Parameters<typeof withChoice>[1]) => {
    const { provider, model, apiBase } = withChoice(options, choice, 'acme')
    return [provider, model, apiBase]
  }
  assert.deepEqual(plain({}), ['acme', 'm', 'http://acme.test'])
  assert.deepEqual(plain({ provider: 'openai' }), ['openai', undefined, undefined])
  assert.deepEqual(plain({ provider: 'acme', model: 'n' }), ['acme', 'n', 'http://acme.test'])
  assert.deepEqual(nextOf({ provider: 'x', model: 'y' }, {}), { provider: 'x', model: 'y' })
  assert.deepEqual(nextOf({ provider: 'x', model: 'y' }, { provider: 'z' }), { provider: 'z' })
})
