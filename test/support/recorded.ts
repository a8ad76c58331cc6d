import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSseFraming } from '../../host/llm/sse.ts'
import { type Completion, type Dialect, parseJson, type WireEvent } from '../../sdk/index.ts'
import { decodeStream, inPieces, readBuffered, withLineEnds } from './dialect-wire.ts'
import { corpusMissing, readCorpus, type WireFixture } from './wire-corpus.ts'

/** One protocol with the bodies that were recorded of it. */
export interface RecordedProtocol {
  /** As people write it: `Anthropic`. */
  readonly name: string
  /** The folder of its bodies. */
  readonly folder: string
  readonly dialect: Dialect
  /** Holds what was read against what is expected of it. */
  readonly check: (fixture: WireFixture, completion: Completion) => void
  /** Where the first sign of the end stands: a stream that is cut before it is not complete. */
  readonly terminal: RegExp
}

/** What may stand between the events of a stream, and means nothing (rows S2, S21). */
const NOISE = [': keep-alive\n\n', 'event: vertex_event\ndata: {}\n\n', 'id: 7\n\n', 'retry: 10\n\n', '\n\n']

/** Registers the tests that every protocol has to pass on its recorded bodies (PRO-7, PRO-10, PRO-11). */
export function testRecorded({ name, folder, dialect, check, terminal }: RecordedProtocol): void {
  const fixtures = readCorpus(folder)
  const streams = fixtures.filter(({ extension }) => extension === '.sse')
  const decode = (body: Uint8Array | string) => decodeStream(dialect, [body])
  const recorded = (title: string, run: (tell: (text: string) => void) => void) =>
    test(title, (t) => {
      if (corpusMissing !== undefined) return t.skip(corpusMissing)
      run((text) => t.diagnostic(text))
    })

  recorded(`PRO-11 every recorded ${name} stream decodes as expected, whole and in pieces`, (tell) => {
    for (const fixture of streams) {
      for (const size of [fixture.body.length, 1, 3]) {
        const read = decodeStream(
          dialect,
          inPieces(fixture.body, () => size),
        )
        check(fixture, read.completion)
        assert.equal(read.text, read.completion.message.text, fixture.name)
        assert.equal(read.reasoning, read.completion.message.reasoning ?? '', fixture.name)
        assert.equal(read.ends, 1, fixture.name)
      }
    }
    tell(`${streams.length} streams, each whole, in single bytes and in threes`)
  })

  recorded(`PRO-11 S5 S7 line ends of any kind, and pieces of any size, change nothing for ${name}`, () => {
    for (const fixture of streams) {
      const random = fc.sample(fc.integer({ min: 1, max: 400 }), { seed: fixture.body.length, numRuns: 64 })
      for (const end of ['\n', '\r\n', '\r']) {
        let at = 0
        const size = () => random[at++ % random.length] ?? 1
        const pieces = inPieces(withLineEnds(fixture.body, end), size)
        check(fixture, decodeStream(dialect, pieces).completion)
      }
    }
  })

  recorded(`PRO-11 every recorded buffered ${name} answer is read as expected`, (tell) => {
    const buffered = fixtures.filter(({ extension }) => extension === '.json')
    for (const fixture of buffered) check(fixture, readBuffered(dialect, fixture.body.toString('utf8')))
    tell(`${buffered.length} buffered answers`)
  })

  recorded(`PRO-11 S2 S8 S21 white space, comments and unknown events change nothing for ${name}`, () => {
    const choices = fc.record({
      fixture: fc.constantFrom(...streams),
      noise: fc.array(fc.nat(NOISE.length), { minLength: 1, maxLength: 7 }),
      indent: fc.integer({ min: 0, max: 3 }),
      bytes: fc.integer({ min: 1, max: 200 }),
    })
    fc.assert(
      fc.property(choices, ({ fixture, noise, indent, bytes }) => {
        const events = eventsOf(fixture.body)
        const text = events
          .map((event, at) => (NOISE[noise[at % noise.length] ?? 0] ?? '') + respaced(event, indent))
          .join('')
        const pieces = inPieces(Buffer.from(text), () => bytes)
        check(fixture, decodeStream(dialect, pieces).completion)
      }),
      { numRuns: 80 },
    )
  })

  recorded(`PRO-7 PRO-10 a stream of ${name} damaged anywhere never throws and ends once`, () => {
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
          const { ends, completion } = decode(body.subarray(0, cut))
          assert.equal(ends, 1)
          for (const call of completion.message.toolCalls) assert.notEqual(call.name, '')
        },
      ),
      { numRuns: 150 },
    )
  })

  recorded(`PRO-10 S17 S18 a stream of ${name} cut before its end is never complete and runs no call`, () => {
    const whole = streams.filter(
      ({ body, expected }) =>
        expected.streamError === undefined && body.toString('utf8').search(terminal) > 0,
    )
    assert.ok(whole.length > 0)
    fc.assert(
      fc.property(fc.constantFrom(...whole), fc.nat(), (fixture, where) => {
        const text = fixture.body.toString('utf8')
        const { completion } = decode(text.slice(0, where % Math.max(1, text.search(terminal))))
        assert.notEqual(completion.status, 'complete', fixture.name)
        assert.deepEqual(completion.message.toolCalls, [], fixture.name)
      }),
      { numRuns: 100 },
    )
  })
}

function eventsOf(body: Uint8Array): readonly WireEvent[] {
  const events: WireEvent[] = []
  const framing = createSseFraming((event) => events.push(event))
  framing.push(body)
  framing.end()
  return events
}

/** The same event with other white space in its JSON, over as many data lines as that has. */
function respaced({ event, data }: WireEvent, indent: number): string {
  const body = parseJson(data)
  const text = body === undefined || indent === 0 ? data : JSON.stringify(body, null, indent)
  const lines = text.split('\n').map((line) => `data: ${line}\n`)
  return `${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`
}
