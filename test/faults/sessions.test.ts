import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../host/base/clock.ts'
import { createConfigStore } from '../../host/base/config.ts'
import { normaliseHistory } from '../../host/llm/history.ts'
import { exportMarkdown } from '../../host/session/export.ts'
import { diskDoor } from '../../host/session/file-door.ts'
import type { StoredMessage } from '../../host/session/read-message.ts'
import { createAgentFixture } from '../support/agent-fixture.ts'
import { handMadeTool, toolMap } from '../support/hand-made.ts'
import { assistant, createStoreFixture, SPEAKER, user, writeSession } from '../support/session-fixture.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { within } from '../support/within.ts'

const hash = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

test('N1 a middle line cut in half: the rest is loaded, with the line’s number', async (t) => {
  const { store, pathOf, notices } = createStoreFixture(t)
  const id = writeSession(store, user('one'), assistant('two'), user('three'))
  const lines = (await readFile(pathOf(id), 'utf8')).split('\n')
  lines[2] = lines[2]?.slice(0, 40) ?? ''
  await writeFile(pathOf(id), lines.join('\n'))
  const session = await store.open(id, SPEAKER)
  assert.deepEqual(
    session.stored?.messages.map(({ text }) => text),
    ['one', 'three'],
  )
  assert.match(notices[0] ?? '', /Line 3 cannot be read/)
  session.close()
})

test('N1 blank lines, carriage returns and a line that is no record are survived', async (t) => {
  const { store, pathOf } = createStoreFixture(t)
  const id = writeSession(store, user('one'), user('two'))
  const text = (await readFile(pathOf(id), 'utf8')).replaceAll('\n', '\r\n\r\n')
  await writeFile(pathOf(id), `${text}[1,2]\nnull\n{"type":"message","message":{"role":"user"}}\n`)
  const { conversation, warnings } = await store.read(id)
  assert.equal(conversation.messages.length, 2)
  assert.equal(warnings.length, 3)
})

test('N4 line ends, NULs and separators in a tool’s output stay on one physical line', async (t) => {
  const { store, pathOf } = createStoreFixture(t)
  const text = 'a\nb\rc\0d\u2028e\u2029f'
  const id = writeSession(store, { role: 'tool', callId: 'c', name: 'bash', ok: true, text })
  const bytes = await readFile(pathOf(id), 'utf8')
  assert.equal(bytes.split(/[\n\r\u2028\u2029\0]/).length, 3)
  assert.equal((await store.read(id)).conversation.messages[0]?.text, text)
})

test('N5 one failed write: told at once, retried, nothing lost, and no id is named that cannot be resumed', async (t) => {
  let failures = 1
  const { store, notices, clock } = createStoreFixture(t, {
    door: {
      ...diskDoor,
      write(file, bytes) {
        if (failures-- > 0) {
          // A full disk takes a part before it refuses.
          diskDoor.write(file, bytes.subarray(0, 20))
          throw new Error('ENOSPC: no space left on device')
        }
        return diskDoor.write(file, bytes)
      },
    },
  })
  const session = store.create(SPEAKER)
  const fixture = createAgentFixture({
    steps: [{ text: 'ok' }],
    deps: {
      session: () => (session.written() ? session.id : null),
      journal: {
        message: (message) => {
          if (message.role !== 'system') session.message(message)
        },
        compression: () => {},
        rewind: () => {},
      },
    },
  })
  const result = await fixture.turn('hello')
  assert.equal(result.text, 'ok')
  assert.match(notices[0] ?? '', /ENOSPC/)
  assert.match(notices[1] ?? '', /written again/)
  assert.equal(result.session, session.id)
  clock.advance(60_000)
  session.close()
  const { conversation, warnings } = await store.read(session.id)
  assert.deepEqual(warnings, [])
  assert.deepEqual(
    conversation.messages.map(({ text }) => text),
    ['hello', 'ok'],
  )
})

test('N5 while nothing can be written the result names no session', async (t) => {
  const { store } = createStoreFixture(t, {
    door: {
      ...diskDoor,
      write() {
        throw new Error('ENOSPC: no space left on device')
      },
    },
  })
  const session = store.create(SPEAKER)
  session.message(user('one'))
  assert.equal(session.written(), false)
  session.close()
  await assert.rejects(store.read(session.id))
})

test('N6 many changes of one settings file at once leave it valid, with every key', async (t) => {
  const folder = temporaryFolder(t)
  const stores = [createConfigStore(folder, systemClock), createConfigStore(folder, systemClock)]
  const keys = ['model', 'provider', 'mode', 'maxTurns']
  const values = ['acme-1', 'acme', 'read', '7']
  for (let round = 0; round < 5; round++) {
    await Promise.all(keys.map((key, at) => stores[at % 2]?.set(key, values[at] ?? '')))
  }
  assert.deepEqual(JSON.parse(await readFile(join(folder, 'config.json'), 'utf8')), {
    model: 'acme-1',
    provider: 'acme',
    mode: 'read',
    maxTurns: 7,
  })
})

test('N7 120 sessions of 40 MB are listed quickly, without being read', async (t) => {
  const { store, pathOf } = createStoreFixture(t)
  const ids = Array.from({ length: 120 }, (_, at) => writeSession(store, user(`prompt ${at}`)))
  // Sparse: the files have the size, and no disk is used.
  for (const id of ids) await truncate(pathOf(id), 40 * 1024 * 1024)
  const before = process.memoryUsage()
  let list: Awaited<ReturnType<typeof store.list>> = []
  await within(2_000, async () => {
    list = await store.list()
  })
  const after = process.memoryUsage()
  assert.equal(list.length, 120)
  assert.ok(list.every(({ title }) => title.startsWith('prompt ')))
  const grown = after.heapUsed + after.external - before.heapUsed - before.external
  assert.ok(grown < 30e6, `${grown} bytes`)
})

test('N8 killed between a call and its result: the session resumes, and the model is told', async (t) => {
  const { store } = createStoreFixture(t)
  const call: StoredMessage = {
    role: 'assistant',
    text: '',
    toolCalls: [{ id: 'c1', name: 'bash', arguments: '{"command":"sleep 9"}' }],
  }
  const id = writeSession(store, user('run it'), call)
  const session = await store.open(id, SPEAKER)
  const fixture = createAgentFixture({
    steps: [{ text: 'Shall I run it again?' }],
    settings: { initial: { messages: session.stored?.messages ?? [] } },
  })
  const result = await fixture.turn('and?')
  assert.equal(result.finishReason, 'stop')
  const sent = normaliseHistory(fixture.client.requests[0]?.messages ?? [], { flavor: 'openai', model: 'm' })
  const roles = sent.filter(({ role }) => role !== 'system').map(({ role }) => role)
  assert.deepEqual(roles, ['user', 'assistant', 'tool', 'user'])
  session.close()
})

test('P15 P16 a resumed history is sent in pairs: a call without its result, a result without its call', async (t) => {
  const { store } = createStoreFixture(t)
  const id = writeSession(
    store,
    user('go'),
    { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'read', arguments: '{}' }] },
    { role: 'tool', callId: 'lost', name: 'bash', ok: false, text: 'denied' },
  )
  const { conversation } = await store.read(id)
  const sent = normaliseHistory([...conversation.messages, user('more')], { flavor: 'openai', model: 'm' })
  assert.deepEqual(
    sent.map((message) => (message.role === 'tool' ? `result ${message.callId}` : message.role)),
    ['user', 'assistant', 'result a', 'user'],
  )
  const [, , result] = sent
  assert.match(result?.text ?? '', /no result/)
})

test('N9 a slow listener of messages does not change the order of the file', async (t) => {
  const { store } = createStoreFixture(t)
  const session = store.create(SPEAKER)
  const fixture = createAgentFixture({
    steps: [{ calls: [['read', {}]] }, { text: 'done' }],
    snapshot: { tools: toolMap(handMadeTool('read', () => ({ ok: true, output: 'x' }))) },
    deps: {
      journal: {
        message: (message) => {
          if (message.role !== 'system') session.message(message)
        },
        compression: () => {},
        rewind: () => {},
      },
    },
  })
  fixture.bus.subscribe('slow', 'message.added', () => new Promise(() => {}))
  await fixture.turn('go')
  session.close()
  assert.deepEqual(
    (await store.read(session.id)).conversation.messages.map(({ role }) => role),
    ['user', 'assistant', 'tool', 'assistant'],
  )
})

test('N10 what is no session is refused, with its bytes untouched', async (t) => {
  const { store, pathOf } = createStoreFixture(t)
  await mkdir(store.folder, { recursive: true })
  const foreign: Readonly<Record<string, string | Buffer>> = {
    empty: '',
    photo: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    other: '{"type":"message","at":"","message":{"role":"user","text":"x"}}\n',
    list: '[]\n',
    blank: '\n\n\n',
  }
  for (const [id, content] of Object.entries(foreign)) {
    await writeFile(pathOf(id), content)
    const before = await hash(pathOf(id))
    await assert.rejects(store.open(id, SPEAKER), /is not used: .* It was not changed/)
    await assert.rejects(store.delete(id), /is not used/)
    assert.equal(await hash(pathOf(id)), before)
  }
  assert.deepEqual(await store.list(), [])
})

test('N10 a folder, a dangling link and a path are refused too', async (t) => {
  const { store, pathOf } = createStoreFixture(t)
  await mkdir(pathOf('folder'), { recursive: true })
  await symlink('/nowhere/at/all', pathOf('link'))
  await assert.rejects(store.open('folder', SPEAKER), /is not used/)
  await assert.rejects(store.open('link', SPEAKER), /There is no session link/)
  await assert.rejects(store.open('../../etc/passwd', SPEAKER), /There is no session/)
})

test('N11 a fork gets the new messages, and its parent’s bytes stay', async (t) => {
  const { store, pathOf } = createStoreFixture(t)
  const id = writeSession(store, user('one'), assistant('two'))
  const before = await hash(pathOf(id))
  const fork = await store.fork(id)
  const session = await store.open(fork, SPEAKER)
  session.message(user('three'))
  session.close()
  assert.equal(await hash(pathOf(id)), before)
  assert.deepEqual(
    (await store.read(fork)).conversation.messages.map(({ text }) => text),
    ['one', 'two', 'three'],
  )
})

test('D11 a stored call with arguments of the wrong type resumes and exports', async (t) => {
  const { store, pathOf } = createStoreFixture(t)
  const id = writeSession(store, user('go'))
  const call = { id: 'c', name: 'read', arguments: { path: { x: 1 } } }
  const message = { role: 'assistant', text: 'Look: ```', toolCalls: [call, { id: 7 }] }
  await writeFile(pathOf(id), `${JSON.stringify({ type: 'message', at: '', message })}\n`, { flag: 'a' })
  const loaded = await store.read(id)
  assert.deepEqual(loaded.conversation.messages[1], {
    role: 'assistant',
    text: 'Look: ```',
    toolCalls: [{ id: 'c', name: 'read', arguments: '{"path":{"x":1}}' }],
  })
  assert.match(exportMarkdown(loaded), /```json\n\{"path":\{"x":1\}\}\n```/)
})
