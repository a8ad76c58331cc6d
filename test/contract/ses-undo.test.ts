import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { encodeLine } from '../../host/session/record.ts'
import schema from '../../manifests/session.schema.json' with { type: 'json' }
import { createAgentFixture } from '../support/agent-fixture.ts'
import { assistant, createStoreFixture, SPEAKER, user, writeSession } from '../support/session-fixture.ts'
import { createWritingAmber, type WritingAmber } from '../support/writing-amber.ts'

/** What the model is sent when it is asked something more. */
async function heard(amber: WritingAmber, agent: Awaited<ReturnType<WritingAmber['open']>>) {
  await amber.say(agent, 'and now?')
  return amber.sent().map(({ content }) => content)
}

test('SES-2 /undo shows the turn, asks, takes its files and its messages back, and the words return', async (t) => {
  const amber = await createWritingAmber(t)
  const agent = await amber.open()
  await amber.say(agent, 'hello')
  await amber.say(agent, 'write f.txt: new')
  amber.agrees = false
  assert.equal((await amber.app.runCommand('/undo')).text, 'Nothing was taken back.')
  assert.equal(amber.read('f.txt'), 'new')
  assert.match(
    amber.shown[0] ?? '',
    /^--- a\/f\.txt\n[\s\S]*-new[\s\S]*“write f\.txt: new”, and 3 more messages/,
  )
  assert.equal(amber.shown[1], 'Take this back?')
  amber.agrees = true
  const undone = await amber.app.runCommand('/undo')
  assert.equal(undone.text, 'Taken back: f.txt, and 4 messages.\nback: write f.txt: new')
  assert.equal(amber.read('f.txt'), undefined)
  assert.deepEqual(await heard(amber, agent), ['hello', 'done', 'and now?'])
})

test('SES-2 /undo goes back turn by turn; one that changed no files only leaves the conversation', async (t) => {
  const amber = await createWritingAmber(t)
  const agent = await amber.open()
  await amber.say(agent, 'write a: 1')
  await amber.say(agent, 'write a: 2')
  await amber.say(agent, 'just talk')
  assert.equal(
    (await amber.app.runCommand('/undo')).text,
    'Taken back: 2 messages. No file was changed.\nback: just talk',
  )
  assert.match(amber.shown[0] ?? '', /^No files changed in the last turn\./)
  assert.equal(amber.read('a'), '2')
  assert.match((await amber.app.runCommand('/undo yes')).text, /^Taken back: a, and 4 messages/)
  assert.equal(amber.read('a'), '1')
  assert.match((await amber.app.runCommand('/undo yes')).text, /^Taken back: a, and 4 messages/)
  assert.equal(amber.read('a'), undefined)
  assert.match((await amber.app.runCommand('/undo yes')).text, /^Nothing was said in this conversation yet/)
  assert.deepEqual(await heard(amber, agent), ['and now?'])
})

test('SES-2 where a file has changed since, /undo changes neither files nor conversation; /undo talk leaves the files', async (t) => {
  const amber = await createWritingAmber(t)
  const agent = await amber.open()
  await amber.say(agent, 'write a: 1')
  amber.write('a', 'mine')
  const refused = await amber.app.runCommand('/undo yes')
  assert.equal(refused.ok, false)
  assert.match(refused.text, /a has changed since, so nothing was taken back/)
  assert.match(refused.text, /-mine/)
  assert.equal(agent.messages?.().length, 4)
  assert.match((await amber.app.runCommand('/undo talk')).text, /^Taken back: 4 messages\. No file/)
  assert.equal(amber.read('a'), 'mine')
  assert.equal(agent.messages?.().length, 0)
})

test('SES-2 a change between the question and the answer is seen', async (t) => {
  const amber = await createWritingAmber(t)
  const agent = await amber.open()
  await amber.say(agent, 'write a: 1')
  const plan = await agent.undo?.plan()
  assert.ok(plan && agent.undo)
  amber.write('a', 'mine')
  await assert.rejects(agent.undo.apply(plan), /a has changed since/)
  assert.deepEqual([amber.read('a'), agent.messages?.().length], ['mine', 4])
  amber.write('a', '1')
  await amber.say(agent, 'more')
  await assert.rejects(agent.undo.apply(plan), /went on meanwhile/)
  assert.deepEqual([amber.read('a'), agent.messages?.().length], ['1', 6])
  const running = amber.say(agent, 'still more')
  await assert.rejects(agent.undo.plan(), /A turn is running/)
  await running
})

test('SES-2 what was undone stays undone: in the file, resumed, exported, shown and forked', async (t) => {
  const amber = await createWritingAmber(t)
  const agent = await amber.open()
  await amber.say(agent, 'write a: 1')
  await amber.say(agent, 'write b: 2')
  await amber.app.runCommand('/undo yes')
  const id = agent.session?.() ?? ''
  const path = join((await amber.app.sessions()).folder, `${id}.jsonl`)
  const check = new Ajv2020({ allErrors: true, strict: false }).compile(schema)
  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const line of lines) assert.ok(check(line), JSON.stringify(check.errors))
  assert.deepEqual(
    lines.filter(({ turn }) => turn !== undefined).map(({ message }) => message.text),
    ['write a: 1', 'write b: 2'],
  )
  assert.deepEqual([lines.at(-1).type, lines.at(-1).dropped], ['rewind', 4])
  const shown = await amber.command('session', 'show', id)
  assert.match(shown.out, /write a: 1/)
  assert.doesNotMatch(shown.out, /write b: 2/)
  const exported = JSON.parse((await amber.command('session', 'export', id, '--json')).out)
  assert.equal(exported.messages.length, 4)
  const fork = (await amber.command('session', 'fork', id)).out.trim()
  const other = await amber.open({ resume: fork })
  assert.deepEqual((await heard(amber, other)).slice(-2), ['done', 'and now?'])
  assert.ok(!amber.sent().some(({ content }) => content.includes('write b')))
})

test('SES-2 the turns of a resumed session are taken back too, calls and results in pairs', async (t) => {
  const amber = await createWritingAmber(t)
  const first = await amber.open()
  await amber.say(first, 'write a: 1')
  await amber.say(first, 'write a: 2')
  const id = first.session?.() ?? ''
  first.reset()
  const agent = await amber.open({ resume: id })
  await amber.say(agent, 'talk')
  await amber.app.runCommand('/undo yes')
  await amber.app.runCommand('/undo yes')
  assert.equal(amber.read('a'), '1')
  assert.equal(agent.messages?.().length, 4)
  const sent = await heard(amber, agent)
  assert.equal(sent.length, 5)
  assert.deepEqual(
    amber
      .sent()
      .map(({ calls, callId }) => [...calls, callId ?? ''])
      .slice(1, 3),
    [['call_1', ''], ['call_1']],
  )
})

test('SES-2 what a command did is not kept, and /undo says so', async (t) => {
  const amber = await createWritingAmber(t)
  const agent = await amber.open()
  await amber.say(agent, 'run it: echo made > made')
  assert.equal(amber.read('made'), 'made\n')
  await amber.app.runCommand('/undo')
  assert.match(amber.shown[0] ?? '', /and 3 more messages\.\nWhat bash did beside that stays as it is\.$/)
  assert.deepEqual([amber.read('made'), agent.messages?.().length], ['made\n', 0])
})

test('SES-2 the plan is as it was before the turn that is taken back', async (t) => {
  const amber = await createWritingAmber(t)
  const agent = await amber.open()
  await amber.say(agent, 'plan 1: first')
  await amber.say(agent, 'plan 2: second')
  const id = agent.session?.() ?? ''
  const plan = async () =>
    (await (await amber.app.sessions()).read(id)).conversation.todos.map(({ text }) => text)
  assert.deepEqual(await plan(), ['second'])
  await amber.app.runCommand('/undo yes')
  assert.deepEqual(await plan(), ['first'])
  agent.reset()
  assert.equal((await amber.command('session', 'undo', id)).code, 0)
  assert.deepEqual(await plan(), [])
})

test('CLI-1 session undo takes a stored session’s newest turn back, once each time; one that is open is refused', async (t) => {
  const amber = await createWritingAmber(t)
  const agent = await amber.open()
  await amber.say(agent, 'write a: 1')
  await amber.say(agent, 'write a: 2')
  const id = agent.session?.() ?? ''
  const held = await amber.command('session', 'undo', id, '--yes')
  assert.equal(held.code, 1)
  assert.match(held.err, /is open in another amber/)
  assert.equal(amber.read('a'), '2')
  agent.reset()
  const undone = JSON.parse((await amber.command('session', 'undo', id, '--yes', '--json')).out)
  assert.deepEqual([undone.files, undone.messages, undone.prompt], [['a'], 4, 'write a: 2'])
  assert.equal(amber.read('a'), '1')
  amber.write('a', 'mine')
  const refused = await amber.command('session', 'undo', id)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /a has changed since/)
  assert.equal((await (await amber.app.sessions()).read(id)).conversation.messages.length, 4)
  amber.write('a', '1')
  const again = await amber.command('session', 'undo', id)
  assert.match(again.out, /-1[\s\S]*Taken back: a, and 4 messages\.\n$/)
  assert.equal(amber.read('a'), undefined)
  const none = await amber.command('session', 'undo', id)
  assert.equal(none.code, 1)
  assert.match(none.err, /Nothing was said/)
  const resumed = await amber.open({ resume: id })
  assert.deepEqual(await heard(amber, resumed), ['and now?'])
})

test('CLI-1 amber command undo takes back what was done last, in a session or in none', async (t) => {
  const amber = await createWritingAmber(t)
  const stored = await amber.open()
  await amber.say(stored, 'write a: 1')
  stored.reset()
  const loose = await amber.open('none')
  await amber.say(loose, 'write b: 1')
  const other = await amber.open()
  await amber.say(other, 'write c: 3')
  assert.match((await amber.command('command', 'undo')).err, /is open in another amber/)
  await amber.say(loose, 'write b: 2')
  assert.match((await amber.command('command', 'undo')).out, /-2[\s\S]*To take this back: \/undo yes/)
  assert.equal((await amber.command('command', 'undo', 'yes')).code, 0, 'whoever has a session open')
  assert.deepEqual([amber.read('a'), amber.read('b')], ['1', '1'])
  assert.equal(
    (await amber.app.runCommand('/undo yes')).text,
    'Taken back: c, and 4 messages.\nback: write c: 3',
  )
  const id = other.session?.() ?? ''
  other.reset()
  await (await amber.app.sessions()).delete(id)
  assert.equal((await amber.command('command', 'undo', 'yes')).out, 'Taken back: b.\n')
  assert.equal((await amber.command('command', 'undo', 'yes')).out, 'Taken back: a, and 4 messages.\n')
  assert.equal(amber.read('a'), undefined)
  assert.match((await amber.command('command', 'undo', 'maybe')).err, /takes one of yes, talk/)
})

const SUMMARY = { text: 'They talked about foxes.' }
const talk = (turns: number) =>
  Array.from({ length: turns }, (_, at) => [
    user(`question ${at} ${'x'.repeat(200)}`),
    assistant(`answer ${at} ${'y'.repeat(200)}`),
  ]).flat()

test('SES-2 taking back a turn that a summary tells of takes the summary too: the older one, or all that was said, counts', async (t) => {
  const { store } = createStoreFixture(t)
  const session = store.create(SPEAKER)
  const fixture = createAgentFixture({
    steps: [SUMMARY, { text: 'A second one.' }],
    deps: {
      journal: {
        message: (message, turn) => message.role !== 'system' && session.message(message, turn),
        compression: session.compression,
        rewind: session.rewind,
      },
    },
    settings: { initial: { messages: [] } },
  })
  for (const message of talk(8)) session.message(message)
  fixture.agent.adopt({ messages: talk(8) })
  const signal = new AbortController().signal
  assert.ok((await fixture.agent.compress(signal)).kept)
  const sizes = [16]
  while (fixture.agent.rewind() > 0) {
    sizes.push(fixture.agent.messages().length)
    const { conversation } = await store.read(session.id)
    assert.deepEqual(conversation.messages, fixture.agent.messages())
    const upTo = conversation.summary?.upTo ?? 0
    assert.ok(upTo <= conversation.messages.length)
    assert.equal(conversation.summary === undefined, conversation.messages.length < 12)
  }
  assert.deepEqual(sizes, [16, 14, 12, 10, 8, 6, 4, 2, 0])
  session.close()
})

test('SES-2 an older summary comes back with the turn that the newer one told of', async (t) => {
  const { store, pathOf } = createStoreFixture(t)
  const id = writeSession(store, ...talk(3))
  const { appendFile } = await import('node:fs/promises')
  const at = '2026-11-30T12:00:00.000Z'
  const more = [
    { type: 'compression', at, kept: 2, summary: 'first' },
    { type: 'message', at, turn: 't1', message: user('four') },
    { type: 'message', at, message: user('amber steers') },
    { type: 'message', at, message: assistant('ok') },
    { type: 'compression', at, kept: 1, summary: 'second' },
  ] as const
  await appendFile(pathOf(id), more.map(encodeLine).join(''))
  const before = (await store.read(id)).conversation
  assert.deepEqual(before.summary, { upTo: 8, text: 'second' })
  assert.deepEqual(
    before.turns.map(({ id: turn, from }) => [turn, from]),
    [
      [undefined, 0],
      [undefined, 2],
      [undefined, 4],
      ['t1', 6],
    ],
  )
  await appendFile(pathOf(id), encodeLine({ type: 'rewind', at, dropped: 3 }))
  const after = (await store.read(id)).conversation
  assert.deepEqual(
    [after.summary, after.messages.length, after.turns.length],
    [{ upTo: 4, text: 'first' }, 6, 3],
  )
})
