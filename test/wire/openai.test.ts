import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { classifyFailure } from '../../host/llm/errors.ts'
import { openAiDialect } from '../../host/llm/openai/dialect.ts'
import { createSseFraming } from '../../host/llm/sse.ts'
import type { ChatRequest, Completion, StreamChunk } from '../../sdk/index.ts'
import { corpusMissing, readCorpus, type WireFixture } from '../support/wire-corpus.ts'

const REQUEST: ChatRequest = { messages: [], tools: [], stream: true }
const fixtures = readCorpus('openai')
const streams = fixtures.filter(({ extension }) => extension === '.sse')

interface Decoded {
  readonly completion: Completion
  readonly text: string
  readonly reasoning: string
  readonly ends: number
}

function decode(pieces: Iterable<Uint8Array>): Decoded {
  const chunks: StreamChunk[] = []
  const decoder = openAiDialect.makeDecoder(REQUEST, (chunk) => chunks.push(chunk))
  const framing = createSseFraming((event) => decoder.push(event))
  for (const piece of pieces) framing.push(piece)
  framing.end()
  decoder.finish()
  const ends = chunks.filter((chunk) => chunk.type === 'end')
  const end = ends[0]
  assert.ok(end)
  const said = (type: 'text' | 'reasoning') =>
    chunks.map((chunk) => (chunk.type === type ? chunk.delta : '')).join('')
  return { completion: end.completion, text: said('text'), reasoning: said('reasoning'), ends: ends.length }
}

function* pieces(body: Uint8Array, size: () => number): Generator<Uint8Array> {
  for (let at = 0; at < body.length; ) {
    const length = Math.max(1, size())
    yield body.subarray(at, at + length)
    at += length
  }
}

function withLineEnds(body: Buffer, end: string): Buffer {
  return Buffer.from(body.toString('utf8').replace(/\r\n|\r|\n/g, end))
}

function parsed(json: string): unknown {
  return json.trim() === '' ? {} : JSON.parse(json)
}

function isJson(json: string): boolean {
  try {
    parsed(json)
    return true
  } catch {
    return false
  }
}

function check({ expected }: WireFixture, completion: Completion): void {
  const text = (key: string) => (typeof expected[key] === 'string' ? expected[key] : '')
  assert.equal(completion.message.text, text('text'))
  assert.equal(completion.message.reasoning ?? '', text('reasoning'))
  assert.equal(completion.refusal ?? '', text('refusal'))
  assert.equal(completion.finishReason, text('finishReason'))
  checkCalls(expected.toolCalls, completion)
  checkUsage(expected.usage, completion)
  if (expected.streamError !== undefined) checkError(expected.streamError, completion)
  else if (completion.cutCalls === undefined) assert.equal(completion.status, 'complete')
}

function checkCalls(expected: unknown, completion: Completion): void {
  assert.ok(Array.isArray(expected))
  const whole = expected.filter((call) => isJson(call.rawArguments ?? call.arguments))
  assert.deepEqual(
    completion.message.toolCalls.map((call) => ({ name: call.name, arguments: parsed(call.arguments) })),
    whole.map((call) => ({ name: call.name, arguments: parsed(call.arguments) })),
  )
  whole.forEach((call, at) => {
    const id = completion.message.toolCalls[at]?.id
    if (call.id === null) assert.ok(id)
    else assert.equal(id, call.id)
  })
  if (whole.length === expected.length) return
  assert.equal(completion.status, 'incomplete')
  assert.equal(completion.cutCalls?.length, expected.length - whole.length)
}

function checkUsage(expected: unknown, completion: Completion): void {
  if (typeof expected !== 'object' || expected === null) {
    assert.equal(completion.usage, undefined)
    return
  }
  const wire: Record<string, unknown> = { ...completion.usage?.wire }
  for (const [name, value] of Object.entries(expected)) {
    if (name !== 'uncachedPromptTokens' && name !== 'textTokens') assert.equal(wire[name], value, name)
  }
}

function checkError(expected: unknown, completion: Completion): void {
  assert.equal(completion.status, 'error')
  assert.ok(completion.failure)
  const { error } = classifyFailure(completion.failure, {
    endpoint: { provider: 'acme', model: 'acme-1', origin: 'https://acme.test' },
    dialect: openAiDialect,
    secrets: [],
    now: 0,
  })
  assert.ok(typeof expected === 'object' && expected !== null && 'message' in expected)
  assert.ok(error.message.includes(String(expected.message)), error.message)
}

test('PRO-11 every recorded stream decodes as expected, whole and in pieces', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  for (const fixture of streams) {
    for (const size of [fixture.body.length, 1, 3]) {
      const { completion, text, reasoning, ends } = decode(pieces(fixture.body, () => size))
      check(fixture, completion)
      assert.equal(text, completion.message.text, fixture.name)
      assert.equal(reasoning, completion.message.reasoning ?? '', fixture.name)
      assert.equal(ends, 1, fixture.name)
    }
  }
  t.diagnostic(`${streams.length} streams, each whole, in single bytes and in threes`)
})

test('PRO-11 S5 S7 line ends of any kind, and pieces of any size, change nothing', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  for (const fixture of streams) {
    const random = fc.sample(fc.integer({ min: 1, max: 400 }), { seed: fixture.body.length, numRuns: 64 })
    for (const end of ['\n', '\r\n', '\r']) {
      let at = 0
      const size = () => random[at++ % random.length] ?? 1
      check(fixture, decode(pieces(withLineEnds(fixture.body, end), size)).completion)
    }
  }
})

test('PRO-11 every recorded buffered answer is read as expected', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const buffered = fixtures.filter(({ extension }) => extension === '.json')
  for (const fixture of buffered) {
    check(fixture, openAiDialect.parseCompletion(fixture.body.toString('utf8'), REQUEST))
  }
  t.diagnostic(`${buffered.length} buffered answers`)
})

test('PRO-11 S2 S21 comments and unknown events between the others change nothing', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const noise = [': keep-alive\n\n', 'event: vertex_event\ndata: {}\n\n', 'id: 7\n\n', 'retry: 10\n\n']
  fc.assert(
    fc.property(fc.constantFrom(...streams), fc.infiniteStream(fc.nat(noise.length)), (fixture, choices) => {
      const events = fixture.body.toString('utf8').split(/(?<=(?:\r\n|\n){2})/)
      const noisy = events.map((event) => (noise[choices.next().value ?? 0] ?? '') + event).join('')
      check(fixture, decode([Buffer.from(noisy)]).completion)
    }),
    { numRuns: 60 },
  )
})

test('PRO-7 PRO-10 a stream damaged anywhere never throws and ends once', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const damage = fc.record({ at: fc.nat(), byte: fc.nat(255), cut: fc.nat() })
  fc.assert(
    fc.property(
      fc.constantFrom(...streams),
      fc.array(damage, { minLength: 1, maxLength: 8 }),
      (fixture, all) => {
        const body = Buffer.from(fixture.body)
        for (const { at, byte } of all) body[at % body.length] = byte
        const { ends, completion } = decode([body.subarray(0, ((all[0]?.cut ?? 0) % body.length) + 1)])
        assert.equal(ends, 1)
        for (const call of completion.message.toolCalls) assert.notEqual(call.name, '')
      },
    ),
    { numRuns: 150 },
  )
})

test('PRO-10 a stream cut at any event is incomplete until its terminal event, and runs no call', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const whole = streams.filter(({ expected }) => expected.streamError === undefined && expected.finishReason)
  fc.assert(
    fc.property(fc.constantFrom(...whole), fc.nat(), (fixture, where) => {
      const text = fixture.body.toString('utf8')
      const terminal = text.search(/"finish_reason": ?"/)
      const cut = text.slice(0, where % Math.max(1, terminal))
      const { completion } = decode([Buffer.from(cut)])
      assert.equal(completion.status, 'incomplete')
      assert.deepEqual(completion.message.toolCalls, [])
    }),
    { numRuns: 100 },
  )
})
