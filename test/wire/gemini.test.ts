import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { geminiDialect } from '../../plugins/gemini/dialect.ts'
import type { Completion } from '../../sdk/index.ts'
import {
  checkCompletion,
  decodeStream,
  inPieces,
  readBuffered,
  withLineEnds,
} from '../support/dialect-wire.ts'
import { corpusMissing, readCorpus, type WireFixture } from '../support/wire-corpus.ts'

const fixtures = readCorpus('gemini')
const streams = fixtures.filter(({ extension }) => extension === '.sse')

function check(fixture: WireFixture, completion: Completion): void {
  checkCompletion(fixture, withKnownUsage(fixture, completion))
  const { blockReason, finishReason, thoughtSignatures } = fixture.expected
  const { error, status, message } = completion
  if (typeof blockReason === 'string') {
    assert.equal(status, 'error', fixture.name)
    assert.ok(error?.message.includes(blockReason), fixture.name)
    assert.equal(error?.retryable, false, fixture.name)
  } else if (finishReason === 'MALFORMED_FUNCTION_CALL') {
    assert.equal(status, 'error', fixture.name)
    assert.equal(error?.retryable, true, fixture.name)
  } else assert.equal(status, 'complete', fixture.name)
  const kept = JSON.stringify([message.replay ?? {}, message.toolCalls]).match(/"thoughtSignature"/g) ?? []
  assert.equal(kept.length, thoughtSignatures, fixture.name)
}

/** An empty `usage` in the file and none at all are the same. */
function withKnownUsage({ expected }: WireFixture, completion: Completion): Completion {
  const { usage } = expected
  const none = typeof usage === 'object' && usage !== null && Object.keys(usage).length === 0
  if (!none || completion.usage !== undefined) return completion
  return { ...completion, usage: { inputTokens: undefined, outputTokens: undefined, wire: {} } }
}

test('PRO-11 every recorded Gemini stream decodes as expected, whole and in pieces', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  for (const fixture of streams) {
    for (const size of [fixture.body.length, 1, 3]) {
      const { completion, text, reasoning, ends } = decodeStream(
        geminiDialect,
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

test('PRO-11 S5 S7 line ends of any kind, and pieces of any size, change nothing for Gemini', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  for (const fixture of streams) {
    const random = fc.sample(fc.integer({ min: 1, max: 400 }), { seed: fixture.body.length, numRuns: 64 })
    for (const end of ['\n', '\r\n', '\r']) {
      let at = 0
      const size = () => random[at++ % random.length] ?? 1
      const pieces = inPieces(withLineEnds(fixture.body, end), size)
      check(fixture, decodeStream(geminiDialect, pieces).completion)
    }
  }
})

test('PRO-11 every recorded buffered Gemini answer is read as expected', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const buffered = fixtures.filter(({ extension }) => extension === '.json')
  for (const fixture of buffered) check(fixture, readBuffered(geminiDialect, fixture.body.toString('utf8')))
  t.diagnostic(`${buffered.length} buffered answers`)
})

test('PRO-7 PRO-10 a Gemini stream damaged anywhere never throws and ends once', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const damage = fc.record({ at: fc.nat(), byte: fc.nat(255), cut: fc.nat() })
  fc.assert(
    fc.property(
      fc.constantFrom(...streams),
      fc.array(damage, { minLength: 1, maxLength: 8 }),
      (fixture, all) => {
        const body = Buffer.from(fixture.body)
        for (const { at, byte } of all) body[at % body.length] = byte
        const cut = ((all[0]?.cut ?? 0) % body.length) + 1
        assert.equal(decodeStream(geminiDialect, [body.subarray(0, cut)]).ends, 1)
      },
    ),
    { numRuns: 150 },
  )
})

test('PRO-10 S17 a Gemini stream cut before its finish reason is never complete and runs no call', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const whole = streams.filter(({ expected }) => typeof expected.finishReason === 'string')
  fc.assert(
    fc.property(fc.constantFrom(...whole), fc.nat(), (fixture, where) => {
      const text = fixture.body.toString('utf8')
      const cut = text.slice(0, where % Math.max(1, text.search(/"finishReason": ?"/)))
      const { completion } = decodeStream(geminiDialect, [cut])
      assert.notEqual(completion.status, 'complete')
      assert.deepEqual(completion.message.toolCalls, [])
    }),
    { numRuns: 100 },
  )
})
