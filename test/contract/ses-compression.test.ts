import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '../../sdk/index.ts'
import { createAgentFixture } from '../support/agent-fixture.ts'
import { handMadeTool, toolMap } from '../support/hand-made.ts'
import type { Step } from '../support/scripted-client.ts'
import { createStoreFixture, SPEAKER } from '../support/session-fixture.ts'

const LONG = 'The quick brown fox jumps over the lazy dog. '.repeat(20)

/** So many turns of two long messages each. */
function turns(count: number): readonly Message[] {
  return Array.from({ length: count }, (_, at): Message[] => [
    { role: 'user', text: `question ${at} ${LONG}` },
    { role: 'assistant', text: `answer ${at} ${LONG}`, toolCalls: [] },
  ]).flat()
}

const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 0, wire: { promptTokens: inputTokens } })
const isSummary = (message: Message | undefined) => /summed up/.test(message?.text ?? '')
const SUMMARY: Step = { text: 'They talked about foxes.' }

function fixtureOf(options: {
  readonly steps: readonly Step[]
  readonly window?: number
  readonly messages?: readonly Message[]
  readonly keepsake?: () => string
}) {
  const events: string[] = []
  const journal: string[] = []
  const fixture = createAgentFixture({
    steps: options.steps,
    ...(options.window === undefined ? {} : { window: options.window }),
    settings: { initial: { messages: options.messages ?? turns(8) } },
    deps: {
      journal: {
        message: ({ role }) => journal.push(role),
        compression: (kept, summary) => journal.push(`compression ${kept} ${summary}`),
        rewind: (dropped) => journal.push(`rewind ${dropped}`),
      },
      ...(options.keepsake === undefined ? {} : { keepsake: options.keepsake }),
    },
  })
  fixture.bus.subscribe('t', 'compression.started', ({ messages }) => events.push(`started ${messages}`))
  fixture.bus.subscribe('t', 'compression.completed', ({ kept }) => events.push(`completed ${kept}`))
  return { ...fixture, events, journal }
}

test('SES-2 at 70 % of a known window the older part is summed up; the last two turns and the system part stay', async () => {
  const fixture = fixtureOf({ steps: [SUMMARY, { text: 'fine' }], window: 4_000 })
  const stored = fixture.agent.messages()
  const result = await fixture.turn('and now?')
  assert.equal(result.text, 'fine')
  const [asked, sent] = fixture.client.requests
  assert.equal(asked?.tools.length, 0)
  const transcript = asked?.messages.at(-1)?.text ?? ''
  for (const part of ['question 0', 'answer 0', 'answer 6']) assert.ok(transcript.includes(part), part)
  assert.ok(transcript.length < 4_000 * 3)
  const messages = sent?.messages ?? []
  assert.equal(messages[0]?.role, 'system')
  assert.ok(isSummary(messages[1]) && messages[1]?.text.includes('They talked about foxes.'))
  assert.deepEqual(
    messages.slice(2).map(({ text }) => text.slice(0, 10)),
    ['question 7', 'answer 7 T', 'and now?'],
  )
  assert.deepEqual(fixture.agent.messages().slice(0, stored.length), stored, 'nothing stored has changed')
  assert.deepEqual(fixture.journal, ['user', 'compression 3 They talked about foxes.', 'assistant'])
  assert.deepEqual(fixture.events, ['started 14', 'completed true'])
  assert.match(fixture.sink.notices.join('\n'), /14 older messages were summed up/)
})

test('SES-2 an unknown window is never guessed, and a roomy one left alone', async () => {
  for (const window of [undefined, 1_000_000]) {
    const fixture = fixtureOf({ steps: [{ text: 'fine' }], ...(window === undefined ? {} : { window }) })
    await fixture.turn('and now?')
    assert.equal(fixture.client.requests.length, 1)
    assert.deepEqual(fixture.events, [])
  }
})

test('SES-2 the server’s own count decides, not the estimate', async () => {
  const fixture = fixtureOf({
    steps: [{ text: 'one', usage: usage(7_100) }, SUMMARY, { text: 'two' }],
    window: 10_000,
    messages: turns(6).map((message) => ({ ...message, text: message.text.slice(0, 40) })),
  })
  await fixture.turn('first')
  assert.deepEqual(fixture.events, [])
  await fixture.turn('second')
  assert.equal(fixture.events[0], 'started 12')
})

test('SES-2 fewer than ten messages are left alone, however full the window is', async () => {
  const fixture = fixtureOf({ steps: [{ text: 'fine' }], window: 300, messages: turns(3) })
  await fixture.turn('and now?')
  assert.equal(fixture.client.requests.length, 1)
})

test('SES-2 a summary that is not smaller is dropped, and the reason shown', async () => {
  const fixture = fixtureOf({ steps: [{ text: LONG.repeat(20) }, { text: 'fine' }], window: 4_000 })
  const result = await fixture.turn('and now?')
  assert.equal(result.text, 'fine')
  assert.ok(!fixture.client.requests[1]?.messages.some(isSummary))
  assert.match(fixture.sink.notices.join('\n'), /not summed up: the summary .* would not be smaller/)
  assert.deepEqual(fixture.events, ['started 14', 'completed false'])
})

test('N13 a summariser that fails leaves the conversation intact, and is not asked again at once', async () => {
  const error = { kind: 'server', status: 500, retryable: true, message: 'It broke.', hint: '' } as const
  const fixture = fixtureOf({
    steps: [{ status: 'error', error }, { text: 'fine' }, { text: 'also fine' }],
    window: 4_000,
  })
  const before = fixture.agent.messages()
  const result = await fixture.turn('and now?')
  assert.equal(result.text, 'fine')
  assert.deepEqual(result.errors, [])
  assert.deepEqual(fixture.agent.messages().slice(0, before.length), before)
  assert.match(fixture.sink.notices.join('\n'), /not summed up: the summary failed: It broke\./)
  await fixture.turn('next')
  assert.equal(fixture.client.requests.length, 3)
})

test('N13 a summariser that throws is survived too', async () => {
  const fixture = fixtureOf({
    steps: [
      () => {
        throw new Error('boom')
      },
      { text: 'fine' },
    ],
    window: 4_000,
  })
  assert.equal((await fixture.turn('and now?')).text, 'fine')
})

test('PRO-12 an overflow sums up once and asks again; a second one ends the turn', async () => {
  const error = {
    kind: 'context-overflow',
    status: 400,
    retryable: false,
    message: 'Too long.',
    hint: '',
  } as const
  const good = fixtureOf({ steps: [{ status: 'error', error }, SUMMARY, { text: 'fine' }] })
  const result = await good.turn('and now?')
  assert.equal(result.text, 'fine')
  assert.deepEqual(result.errors, [])
  const bad = fixtureOf({
    steps: [{ status: 'error', error }, SUMMARY, { status: 'error', error }],
  })
  const failed = await bad.turn('and now?')
  assert.deepEqual(
    failed.errors.map(({ kind }) => kind),
    ['context-overflow'],
  )
  assert.equal(bad.client.requests.length, 3)
})

test('PRO-12 one long turn that overflows keeps the user’s words and the newest rounds, in pairs', async () => {
  const error = {
    kind: 'context-overflow',
    status: 400,
    retryable: false,
    message: 'Too long.',
    hint: '',
  } as const
  let round = 0
  const step: Step = (request) => {
    if (/Sum it up/.test(request.messages.at(-1)?.text ?? '')) return { text: 'Read nine files.' }
    round++
    if (round === 10) return { status: 'error', error }
    return round > 10 ? { text: 'done' } : { text: `round ${round}`, calls: [['read', { n: round }]] }
  }
  const fixture = createAgentFixture({
    steps: [step],
    window: 2_000,
    snapshot: { tools: toolMap(handMadeTool('read', () => ({ ok: true, output: LONG }))) },
    settings: { compression: { threshold: 95 } },
  })
  const result = await fixture.turn('read them all')
  assert.equal(result.text, 'done')
  const sent = fixture.client.requests.at(-1)?.messages.filter(({ role }) => role !== 'system') ?? []
  assert.match(
    sent[0]?.text ?? '',
    /Read nine files\.\n\nThe user's newest words, as they were:\n\nread them all$/,
  )
  assert.equal(sent[1]?.role, 'assistant')
  assert.ok(sent.length >= 3 && sent.length < 10)
  const calls = sent.flatMap((one) => (one.role === 'assistant' ? one.toolCalls.map(({ id }) => id) : []))
  const results = sent.flatMap((one) => (one.role === 'tool' ? [one.callId] : []))
  assert.deepEqual(results, calls)
})

test('SES-2 the plan survives: it stands with the summary', async () => {
  const fixture = fixtureOf({
    steps: [SUMMARY, { text: 'fine' }],
    window: 4_000,
    keepsake: () => 'The plan as it stands:\n\n[ ] 1 Test',
  })
  await fixture.turn('and now?')
  const summary = fixture.client.requests[1]?.messages.find(isSummary)
  assert.match(summary?.text ?? '', /\[ \] 1 Test$/)
})

test('SES-2 a second summary takes the first one in', async () => {
  const step: Step = ({ messages }) => {
    const asked = /Sum it up/.test(messages.at(-1)?.text ?? '')
    if (asked) return { text: 'They talked about foxes.' }
    return { text: 'ok', usage: usage(Math.round(messages.map(({ text }) => text).join('').length / 4)) }
  }
  const fixture = fixtureOf({ steps: [step], window: 2_000 })
  await fixture.turn('and now?')
  for (let at = 0; at < 9; at++) await fixture.turn(`more ${LONG}`)
  const asked = fixture.client.requests.filter(
    ({ tools, messages }) => tools.length === 0 && /Sum it up/.test(messages.at(-1)?.text ?? ''),
  )
  assert.ok(asked.length >= 2)
  assert.match(asked[1]?.messages.at(-1)?.text ?? '', /They talked about foxes\./)
  const sent = fixture.client.requests.at(-1)?.messages ?? []
  assert.equal(sent.filter(isSummary).length, 1)
})

test('SES-2 /compress by hand: done, or the reason why not', async () => {
  const fixture = fixtureOf({ steps: [SUMMARY] })
  const signal = new AbortController().signal
  const done = await fixture.agent.compress(signal)
  assert.ok(done.kept && done.messages === 12 && done.after < done.before)
  const again = await fixture.agent.compress(signal)
  assert.deepEqual(again, { kept: false, reason: 'it has fewer than 10 messages' })
})

test('SES-2 a summary survives resuming, and taking a turn back', async (t) => {
  const { store } = createStoreFixture(t)
  const session = store.create(SPEAKER)
  const fixture = createAgentFixture({
    steps: [SUMMARY, { text: 'fine' }],
    window: 4_000,
    deps: {
      journal: {
        message: (message) => {
          if (message.role !== 'system') session.message(message)
        },
        compression: session.compression,
        rewind: session.rewind,
      },
    },
    settings: { initial: { messages: [] } },
  })
  for (const message of turns(8)) if (message.role !== 'system') session.message(message)
  fixture.agent.adopt({ messages: turns(8) })
  await fixture.turn('and now?')
  assert.equal(fixture.agent.rewind(), 2)
  session.close()
  const { conversation } = await store.read(session.id)
  assert.deepEqual(conversation.summary, { upTo: 14, text: 'They talked about foxes.' })
  assert.equal(conversation.messages.length, 16)
  assert.deepEqual(conversation.messages, fixture.agent.messages())
})
