import assert from 'node:assert/strict'
import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { systemClock } from '../../host/base/clock.ts'
import { diskDoor } from '../../host/session/file-door.ts'
import { encodeLine } from '../../host/session/record.ts'
import schema from '../../manifests/session.schema.json' with { type: 'json' }
import { assistant, createStoreFixture, SPEAKER, user, writeSession } from '../support/session-fixture.ts'

const lines = async (path: string) => (await readFile(path, 'utf8')).split('\n')

test('SES-1 a session is an append-only file of one line a record, for its owner alone', async (t) => {
  const { store, pathOf } = createStoreFixture(t)
  const session = store.create(SPEAKER)
  await assert.rejects(stat(pathOf(session.id)), 'nothing is written before the first message')
  session.message(user('one'))
  const first = await readFile(pathOf(session.id), 'utf8')
  session.message(assistant('two'))
  const second = await readFile(pathOf(session.id), 'utf8')
  assert.ok(second.startsWith(first) && second.endsWith('\n'))
  assert.equal(second.split('\n').length, 4)
  assert.equal((await stat(pathOf(session.id))).mode & 0o777, 0o600)
  session.close()
})

test('SES-1 every kind of line fits the published schema', async (t) => {
  const { store, pathOf } = createStoreFixture(t)
  const id = writeSession(store, user('one'))
  const session = await store.open(id, { provider: 'other', model: 'm' })
  session.message({
    role: 'user',
    text: 'look',
    images: [{ mimeType: 'image/png', base64: 'aGk=' }],
  })
  session.message({
    role: 'assistant',
    text: '',
    reasoning: 'hm',
    toolCalls: [{ id: 'c1', name: 'read', arguments: '{}', cut: true, replay: { a: 1 } }],
    origin: { flavor: 'openai', model: 'm' },
    replay: [1],
  })
  session.message({ role: 'tool', callId: 'c1', name: 'read', ok: false, text: 'no' })
  session.todos([{ id: '1', text: 'go', status: 'in_progress' }])
  session.compression(1, 'short')
  session.rewind(1)
  session.title('A name')
  session.close()
  const fork = await store.fork(id)
  const check = new Ajv2020({ allErrors: true, strict: false }).compile(schema)
  for (const path of [pathOf(id), pathOf(fork)]) {
    for (const line of (await lines(path)).filter((one) => one !== '')) {
      assert.ok(check(JSON.parse(line)), `${line}: ${JSON.stringify(check.errors)}`)
    }
  }
  const types = (await lines(pathOf(id))).map((line) => /^\{"type":"(\w+)"/.exec(line)?.[1])
  assert.deepEqual(types, [
    'session',
    'message',
    'model',
    'message',
    'message',
    'message',
    'todos',
    'compression',
    'rewind',
    'title',
    undefined,
  ])
})

test('SES-1 a file cut at any byte loses the last line at most, and resuming repairs it', async (t) => {
  const { store, pathOf } = createStoreFixture(t)
  const id = writeSession(store, user('one'), assistant('zwei 🙂'), user('three'))
  const whole = await readFile(pathOf(id))
  const ends = [...whole.entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []))
  const header = ends[0] ?? 0
  for (let size = header; size <= whole.length; size++) {
    await writeFile(pathOf(id), whole.subarray(0, size))
    const session = await store.open(id, SPEAKER)
    // A line that lacks nothing but its end is whole.
    const kept = ends.filter((end) => end > header && end - 1 <= size).length
    assert.equal(session.stored?.messages.length, kept, `cut at ${size}`)
    session.message(user('after'))
    session.close()
    const read = await store.read(id)
    assert.deepEqual(read.warnings, [], `cut at ${size}`)
    assert.equal(read.conversation.messages.length, kept + 1)
  }
})

test('SES-1 a resumed conversation says what it said before, with its plan, name and model', async (t) => {
  const { store } = createStoreFixture(t)
  const session = store.create(SPEAKER)
  session.message(user('one'))
  session.todos([{ id: '1', text: 'go', status: 'pending' }])
  session.title('First')
  session.close()
  const again = await store.open(session.id, SPEAKER)
  assert.deepEqual(again.stored, {
    messages: [user('one')],
    turns: [{ id: undefined, from: 0, todos: [] }],
    olderSummaries: [],
    todos: [{ id: '1', text: 'go', status: 'pending' }],
    title: 'First',
    ...SPEAKER,
  })
  again.close()
})

test('SES-2 compression appends: every line before it stays as it is', async (t) => {
  const { store, pathOf } = createStoreFixture(t)
  const session = store.create(SPEAKER)
  for (const text of ['a', 'b', 'c', 'd']) session.message(user(text))
  const before = await readFile(pathOf(session.id), 'utf8')
  session.compression(1, 'a, b and c')
  session.close()
  assert.ok((await readFile(pathOf(session.id), 'utf8')).startsWith(before))
  const { conversation } = await store.read(session.id)
  assert.equal(conversation.messages.length, 4)
  assert.deepEqual(conversation.summary, { upTo: 3, text: 'a, b and c' })
})

test('SES-3 a second host is told that the session is open, and works on a fork', async (t) => {
  const first = createStoreFixture(t)
  const second = createStoreFixture(t, { parent: first.parent })
  const id = writeSession(first.store, user('one'))
  const held = await first.store.open(id, SPEAKER)
  const copy = await second.store.open(id, SPEAKER)
  assert.notEqual(copy.id, id)
  assert.match(second.notices[0] ?? '', new RegExp(`${id} is open in another amber .*${copy.id}`))
  copy.message(user('in the copy'))
  held.message(user('in the original'))
  held.close()
  copy.close()
  const texts = async (one: string) =>
    (await first.store.read(one)).conversation.messages.map(({ text }) => text)
  assert.deepEqual(await texts(id), ['one', 'in the original'])
  assert.deepEqual(await texts(copy.id), ['one', 'in the copy'])
  assert.equal((await first.store.read(copy.id)).header.parent, id)
  const free = await second.store.open(id, SPEAKER)
  assert.equal(free.id, id, 'a closed session can be taken up again')
  free.close()
})

test('SES-3 of two hosts that open a session at once, one gets it', async (t) => {
  const first = createStoreFixture(t)
  const id = writeSession(first.store, user('one'))
  await writeFile(
    `${first.store.folder}/${id}.lock`,
    JSON.stringify({ pid: 999_999_999, host: hostname(), started: '' }),
  )
  const stores = Array.from(
    { length: 6 },
    () => createStoreFixture(t, { parent: first.parent, clock: systemClock }).store,
  )
  const opened = await Promise.all(stores.map((store) => store.open(id, SPEAKER)))
  assert.equal(opened.filter((session) => session.id === id).length, 1)
  for (const session of opened) session.close()
})

test('SES-3 a session that an amber has open is not deleted', async (t) => {
  const { store } = createStoreFixture(t)
  const session = store.create(SPEAKER)
  session.message(user('one'))
  await assert.rejects(store.delete(session.id), /is open in an amber/)
  session.close()
  await store.delete(session.id)
  assert.deepEqual(await store.list(), [])
})

test('SES-4 a folder that cannot be written is told, the conversation goes on, and is written when it can be', async (t) => {
  let broken = true
  const { store, clock, notices, pathOf } = createStoreFixture(t, {
    door: {
      ...diskDoor,
      open(path) {
        if (broken) throw new Error('EROFS: read-only file system')
        return diskDoor.open(path)
      },
    },
  })
  const session = store.create(SPEAKER)
  session.message(user('one'))
  session.message(user('two'))
  assert.equal(notices.length, 1)
  assert.match(notices[0] ?? '', /cannot be written \(EROFS: read-only file system\)/)
  assert.equal(session.written(), false)
  broken = false
  clock.advance(60_000)
  assert.equal(session.written(), true)
  assert.match(notices[1] ?? '', /written again; nothing was lost/)
  session.close()
  assert.equal((await lines(pathOf(session.id))).length, 4)
})

test('interfaces 2: a session is found by an unambiguous beginning of its id', async (t) => {
  const { store, clock } = createStoreFixture(t)
  const first = writeSession(store, user('one'))
  clock.advance(60_000)
  const second = writeSession(store, user('two'))
  assert.equal(await store.find(first.slice(0, 13)), first)
  assert.equal(await store.find(second), second)
  await assert.rejects(store.find('2026'), /2 sessions begin with 2026/)
  await assert.rejects(store.find('1999'), /There is no session 1999/)
  await assert.rejects(store.find('../x'), /There is no session/)
})

test('interfaces 2: the last session is the one that was written last', async (t) => {
  const { store } = createStoreFixture(t)
  assert.equal(await store.latest(), undefined)
  const first = writeSession(store, user('one'))
  const second = writeSession(store, user('two'))
  const again = await store.open(first, SPEAKER)
  again.message(user('more'))
  again.close()
  assert.equal(await store.latest(), first)
  assert.deepEqual(new Set((await store.list()).map(({ id }) => id)), new Set([first, second]))
})

test('SES-1 a newer format is refused with both versions, and left alone', async (t) => {
  const { store, pathOf } = createStoreFixture(t)
  const id = writeSession(store, user('one'))
  const text = (await readFile(pathOf(id), 'utf8')).replace('"version":1', '"version":2')
  await writeFile(pathOf(id), text)
  await assert.rejects(store.open(id, SPEAKER), /format 2, this one reads up to 1/)
  assert.equal(await readFile(pathOf(id), 'utf8'), text)
})

test('SES-1 lines of a kind that a newer amber added are left out without a word', async (t) => {
  const { store, pathOf } = createStoreFixture(t)
  const id = writeSession(store, user('one'))
  await writeFile(pathOf(id), '{"type":"weather","at":"","sky":"blue"}\n', { flag: 'a' })
  const { conversation, warnings } = await store.read(id)
  assert.equal(conversation.messages.length, 1)
  assert.deepEqual(warnings, [])
})

test('SES-1 a header alone, without its line end, is a session too', async (t) => {
  const { store, pathOf } = createStoreFixture(t)
  const id = writeSession(store, user('one'))
  const size = (await readFile(pathOf(id))).indexOf(10)
  await truncate(pathOf(id), size)
  const session = await store.open(id, SPEAKER)
  session.message(user('again'))
  session.close()
  assert.deepEqual((await store.read(id)).conversation.messages, [user('again')])
})

test('T7 P22 no line holds a half character, and no control character but as an escape', () => {
  const nasty = `a\u0000\u001b[2J\r\n\u2028\ud83d and \\ud83d`
  const line = encodeLine({ type: 'message', at: '', message: user(nasty) })
  assert.match(line, /^[^\x00-\x1f\u2028\u2029]*\n$/)
  assert.deepEqual(JSON.parse(line).message.text, `a\u0000\u001b[2J\r\n\u2028\ufffd and \\ud83d`)
})

test('PRO-13 a key that a tool showed does not get into the file', async (t) => {
  const fixture = createStoreFixture(t, { secrets: () => ['sk-"very"-secret'] })
  const text = 'apiKey: sk-"very"-secret'
  const id = writeSession(fixture.store, { role: 'tool', callId: 'c', name: 'read', ok: true, text })
  assert.doesNotMatch(await readFile(fixture.pathOf(id), 'utf8'), /very/)
  assert.equal((await fixture.store.read(id)).conversation.messages[0]?.text, 'apiKey: [key]')
})

test('T7 a listing shows the name, however much was said since, else the beginning of the first prompt', async (t) => {
  const { store } = createStoreFixture(t)
  const unnamed = writeSession(store, user(`first\nprompt "quoted" ${'é'.repeat(5_000)}`))
  const session = store.create(SPEAKER)
  session.message(user('one'))
  session.title('A name')
  for (let at = 0; at < 20; at++) session.message(assistant('x'.repeat(1_000)))
  session.close()
  const again = await store.open(session.id, { provider: 'other', model: 'm-2' })
  for (let at = 0; at < 3; at++) again.message(assistant('y'.repeat(1_000)))
  again.close()
  const titles = new Map((await store.list()).map(({ id, title, model }) => [id, [title, model]]))
  assert.deepEqual(titles.get(session.id), ['A name', 'm-2'])
  const [shown = ''] = titles.get(unnamed) ?? []
  assert.match(shown, /^first prompt "quoted" é+…$/)
  assert.equal([...shown].length, 100)
})
