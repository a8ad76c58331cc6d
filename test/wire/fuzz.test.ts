import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openAiDialect } from '../../host/llm/openai/dialect.ts'
import { createSseFraming } from '../../host/llm/sse.ts'
import { anthropicDialect } from '../../plugins/anthropic/dialect.ts'
import { geminiDialect } from '../../plugins/gemini/dialect.ts'
import type { Dialect, WireEvent } from '../../sdk/index.ts'
import { PLAIN_REQUEST } from '../support/dialect-wire.ts'
import { anthropicStream, geminiStream, openAiStream, spokenReply } from '../support/spoken-replies.ts'
import { corpusMissing, readCorpus } from '../support/wire-corpus.ts'

const EVENTS = 1_000_000
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_130)

/** Numbers from 0 to below `limit`, the same for each seed (mulberry32). */
type Draw = (limit: number) => number

function createDraw(seed: number): Draw {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  2 ** 53,
  '',
  '\ud800',
  '\0\u001b[2J',
  '{"a":',
  '__proto__',
  [],
  {},
  [null],
  [[[[]]]],
  { length: 1e9 },
  'x'.repeat(3_000),
]
const NAMES = ['error', 'ping', 'message_start', 'message_stop', 'content_block_delta', '', 'done', undefined]

/** One value somewhere in a body is another: of a wrong type, huge, missing or somewhere else. */
function changed(value: unknown, draw: Draw): unknown {
  if (typeof value !== 'object' || value === null || draw(6) === 0) return ODD[draw(ODD.length)]
  const keys = Object.keys(value)
  const key = keys[draw(keys.length)]
  if (key === undefined) return { index: ODD[draw(ODD.length)] }
  if (Array.isArray(value)) {
    if (draw(8) === 0) return value.length > 50 ? [] : [...value, ...value]
    return value.map((item, at) => (String(at) === key ? changed(item, draw) : item))
  }
  const { [key]: old, ...rest }: Readonly<Record<string, unknown>> = { ...value }
  if (draw(8) === 0) return rest
  if (draw(8) === 0) return { ...rest, [keys[draw(keys.length)] ?? key]: old }
  return { ...rest, [key]: changed(old, draw) }
}

function mutated({ event, data }: WireEvent, draw: Draw): WireEvent {
  const way = draw(10)
  if (way === 0) return { event, data: data.slice(0, draw(data.length + 1)) }
  if (way === 1) return { event, data: data.slice(draw(data.length + 1)) }
  if (way === 2) {
    const at = draw(data.length + 1)
    return { event, data: data.slice(0, at) + String.fromCharCode(draw(0x250)) + data.slice(at + 1) }
  }
  if (way === 3) return { event: NAMES[draw(NAMES.length)], data }
  if (way === 4) return { event, data: data + data }
  const body = parsed(data)
  return { event, data: body === undefined ? '[DONE]' : JSON.stringify(changed(body, draw)) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function eventsOf(streams: readonly (string | Buffer)[]): readonly WireEvent[] {
  return streams.flatMap((stream) => {
    const events: WireEvent[] = []
    const framing = createSseFraming((event) => events.push(event))
    framing.push(Buffer.from(stream))
    framing.end()
    return events
  })
}

const recorded = (protocol: string) =>
  readCorpus(protocol).flatMap(({ extension, body }) => (extension === '.sse' ? [body] : []))

test('PRO-7 a million mutated events: no decoder throws, none hangs, each ends once with a typed end', (t) => {
  const replies = fc.sample(spokenReply, { numRuns: 60, seed: SEED })
  const protocols: readonly [Dialect, readonly WireEvent[]][] = [
    [openAiDialect, eventsOf([...replies.map(openAiStream), ...recorded('openai')])],
    [anthropicDialect, eventsOf([...replies.map(anthropicStream), ...recorded('anthropic')])],
    [geminiDialect, eventsOf([...replies.map(geminiStream), ...recorded('gemini')])],
  ]
  const foreign = protocols.flatMap(([, events]) => events)
  const draw = createDraw(SEED)
  let pushed = 0
  let streams = 0
  while (pushed < EVENTS) {
    const [dialect, events] = protocols[streams % protocols.length] ?? assert.fail('no protocol')
    let ends = 0
    const decoder = dialect.makeDecoder(PLAIN_REQUEST, (chunk) => {
      assert.equal(ends, 0, 'a chunk after the end')
      if (chunk.type !== 'end') return
      ends++
      assert.ok(['complete', 'incomplete', 'error'].includes(chunk.completion.status))
    })
    const first = draw(events.length)
    let last: WireEvent | undefined
    try {
      for (let at = 0, length = 1 + draw(60); at < length; at++) {
        const from = draw(25) === 0 ? foreign[draw(foreign.length)] : events[(first + at) % events.length]
        last = mutated(from ?? assert.fail('no event'), draw)
        decoder.push(last)
        pushed++
      }
      decoder.finish()
    } catch (thrown) {
      assert.fail(`${dialect.flavor} threw at ${JSON.stringify(last)} (seed ${SEED}): ${String(thrown)}`)
    }
    assert.equal(ends, 1, `${dialect.flavor} ends once`)
    streams++
  }
  t.diagnostic(
    `${pushed} events in ${streams} streams${corpusMissing === undefined ? '' : '; made by hand alone'}`,
  )
})
