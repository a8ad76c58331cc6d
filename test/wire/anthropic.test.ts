import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anthropicDialect } from '../../plugins/anthropic/dialect.ts'
import type { Completion } from '../../sdk/index.ts'
import {
  checkCompletion,
  classified,
  decodeStream,
  inPieces,
  readBuffered,
  withLineEnds,
} from '../support/dialect-wire.ts'
import { corpusMissing, readCorpus, type WireFixture } from '../support/wire-corpus.ts'

const fixtures = readCorpus('anthropic')
const streams = fixtures.filter(({ extension }) => extension === '.sse')

function check(fixture: WireFixture, completion: Completion): void {
  checkCompletion(fixture, completion)
  const { streamError } = fixture.expected
  if (streamError === undefined) assert.equal(completion.status, 'complete', fixture.name)
  else if (typeof streamError === 'object' && streamError !== null && 'type' in streamError) {
    assert.equal(completion.status, 'error', fixture.name)
    const { error } = classified(anthropicDialect, completion)
    assert.equal(error.kind, 'overloaded', fixture.name)
    assert.equal(error.retryable, true, fixture.name)
  } else assert.equal(completion.status, 'incomplete', fixture.name)
  checkReplay(fixture, completion)
}

/** Every signature and every redacted block is kept, in order, for the model that wrote it. */
function checkReplay({ expected, name }: WireFixture, { message }: Completion): void {
  const replay = JSON.stringify(message.replay ?? {})
  for (const kept of [expected.signatures, expected.redacted]) {
    assert.ok(Array.isArray(kept))
    for (const text of kept) assert.ok(replay.includes(JSON.stringify(text)), name)
  }
}

test('PRO-11 every recorded Anthropic stream decodes as expected, whole and in pieces', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  for (const fixture of streams) {
    for (const size of [fixture.body.length, 1, 3]) {
      const { completion, text, reasoning, ends } = decodeStream(
        anthropicDialect,
        inPieces(fixture.body, () => size),
      )
      check(fixture, completion)
      assert.equal(text, completion.message.text, fixture.name)
      assert.equal(reasoning, completion.message.reasoning ?? '', fixture.name)
      assert.equal(ends, 1, fixture.name)
    }
  }
  t.diagnostic(`${streams.length} streams, each whole, in single bytes and in threes`)
})

test('PRO-11 S5 S7 line ends of any kind, and pieces of any size, change nothing for Anthropic', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  for (const fixture of streams) {
    const random = fc.sample(fc.integer({ min: 1, max: 400 }), { seed: fixture.body.length, numRuns: 64 })
    for (const end of ['\n', '\r\n', '\r']) {
      let at = 0
      const size = () => random[at++ % random.length] ?? 1
      const pieces = inPieces(withLineEnds(fixture.body, end), size)
      check(fixture, decodeStream(anthropicDialect, pieces).completion)
    }
  }
})

test('PRO-11 every recorded buffered Anthropic answer is read as expected', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const buffered = fixtures.filter(({ extension }) => extension === '.json')
  for (const fixture of buffered)
    check(fixture, readBuffered(anthropicDialect, fixture.body.toString('utf8')))
  t.diagnostic(`${buffered.length} buffered answers`)
})

test('PRO-7 PRO-10 an Anthropic stream damaged anywhere never throws and ends once', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const small = streams.filter(({ body }) => body.length < 20_000)
  const damage = fc.record({ at: fc.nat(), byte: fc.nat(255), cut: fc.nat() })
  fc.assert(
    fc.property(
      fc.constantFrom(...small),
      fc.array(damage, { minLength: 1, maxLength: 8 }),
      (fixture, all) => {
        const body = Buffer.from(fixture.body)
        for (const { at, byte } of all) body[at % body.length] = byte
        const cut = ((all[0]?.cut ?? 0) % body.length) + 1
        assert.equal(decodeStream(anthropicDialect, [body.subarray(0, cut)]).ends, 1)
      },
    ),
    { numRuns: 150 },
  )
})

test('PRO-10 S18 an Anthropic stream cut before its end is incomplete and runs no call', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const whole = streams.filter(({ expected }) => expected.streamError === undefined)
  fc.assert(
    fc.property(fc.constantFrom(...whole), fc.nat(), (fixture, where) => {
      const text = fixture.body.toString('utf8')
      const cut = text.slice(0, where % Math.max(1, text.indexOf('event: message_delta')))
      const { completion } = decodeStream(anthropicDialect, [cut])
      assert.equal(completion.status, 'incomplete')
      assert.deepEqual(completion.message.toolCalls, [])
    }),
    { numRuns: 100 },
  )
})
