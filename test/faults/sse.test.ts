import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSseFraming } from '../../host/llm/sse.ts'
import type { WireEvent } from '../../sdk/index.ts'
import { decodeOpenAi, delta, event } from '../support/openai-decode.ts'

const END = delta({}, 'stop')
const GOOD = delta({ content: 'good' })

function frame(pieces: readonly (string | Uint8Array)[], maxEventCharacters?: number) {
  const events: WireEvent[] = []
  const framing = createSseFraming(
    (one) => events.push(one),
    maxEventCharacters === undefined ? {} : { maxEventCharacters },
  )
  const results = pieces.map((piece) => framing.push(typeof piece === 'string' ? Buffer.from(piece) : piece))
  return { events, results, framing }
}

test('S1 a character cut in two by a chunk is one character', () => {
  const bytes = Buffer.from(delta({ content: '北' }))
  const at = bytes.indexOf(0xe5) + 1
  const { completion } = decodeOpenAi([bytes.subarray(0, at), bytes.subarray(at), END])
  assert.equal(completion.message.text, '北')
})

test('S2 comments are no data', () => {
  const { completion } = decodeOpenAi([
    ': OPENROUTER PROCESSING\n\n',
    ': OPENROUTER PROCESSING\n\n',
    GOOD,
    END,
  ])
  assert.equal(completion.message.text, 'good')
  assert.equal(completion.dropped, 0)
})

test('S3 an event that is not JSON is dropped and counted, and the stream goes on', () => {
  const { completion } = decodeOpenAi([event(': OPENROUTER PROCESSING'), GOOD, END])
  assert.equal(completion.message.text, 'good')
  assert.equal(completion.dropped, 1)
})

test('S5 S7 events arrive at once whatever the line ends are', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const { events } = frame([`data: 1${end}${end}`, `data: 2${end}`, `${end}data: 3${end}`])
    assert.deepEqual(
      events.map(({ data }) => data),
      ['1', '2'],
      JSON.stringify(end),
    )
  }
})

test('S5 a CRLF cut in two is one line end', () => {
  const { events } = frame(['data: 1\r', '\ndata: 2\r', '\n\r', '\n'])
  assert.deepEqual(
    events.map(({ data }) => data),
    ['1\n2'],
  )
})

test('S8 several data lines are one JSON', () => {
  const { completion } = decodeOpenAi(['data: {"choices":[{"delta":\ndata: {"content":"joined"}}]}\n\n', END])
  assert.equal(completion.message.text, 'joined')
})

test('S9 a frame that was cut and glued to the next costs itself alone', () => {
  const { completion } = decodeOpenAi([`data: {"choices":[{"delta":{"role":"a${GOOD}`, GOOD, END])
  assert.equal(completion.message.text, 'good')
  assert.equal(completion.dropped, 1)
  assert.equal(completion.status, 'complete')
})

test('S10 usage in a last chunk with no choices is read', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
  const { completion } = decodeOpenAi([GOOD, END, event({ choices: [], usage }), event('[DONE]')])
  assert.deepEqual(completion.usage, {
    inputTokens: 3,
    outputTokens: 4,
    wire: { promptTokens: 3, completionTokens: 4, totalTokens: 7 },
  })
})

test('S12 usage inside the choice is read', () => {
  const { completion } = decodeOpenAi([
    GOOD,
    event({ choices: [{ delta: {}, finish_reason: 'stop', usage: { total_tokens: 7 } }] }),
  ])
  assert.equal(completion.usage?.wire.totalTokens, 7)
  assert.equal(completion.usage?.inputTokens, undefined)
})

test('S13 a null in a later usage overwrites no number', () => {
  const later = { prompt_tokens: null, completion_tokens: 5 }
  const { completion } = decodeOpenAi([
    event({ choices: [], usage: { prompt_tokens: 10 } }),
    event({ choices: [], usage: later }),
    END,
  ])
  assert.equal(completion.usage?.inputTokens, 10)
  assert.equal(completion.usage?.outputTokens, 5)
})

test('S14 an error inside the stream is an error with the text that came before it', () => {
  const { completion } = decodeOpenAi([GOOD, event({ error: { message: 'x', code: 500 } })])
  assert.equal(completion.status, 'error')
  assert.equal(completion.failure?.status, 500)
  assert.equal(completion.message.text, 'good')
})

test('S16 an error event without data ends the reply with an error', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const { completion } = decodeOpenAi([`event: error${end}id: 1${end}${end}`])
    assert.equal(completion.status, 'error', JSON.stringify(end))
  }
  assert.equal(decodeOpenAi([...'event: error\nid: 1\n\n']).completion.status, 'error')
})

test('S16 a named event keeps its data as it was', () => {
  const { events } = frame([
    'event: a\ndata: 1\n\n',
    'data: 2\nevent: b\n\n',
    'event: ping\ndata: {}\n\n',
    'event: c\n\n',
  ])
  assert.deepEqual(events, [
    { event: 'a', data: '1' },
    { event: 'b', data: '2' },
    { event: 'ping', data: '{}' },
  ])
})

test('S17 a stream without a terminal event is incomplete', () => {
  const { completion } = decodeOpenAi([delta({ content: 'a' }), delta({ content: 'b' })])
  assert.equal(completion.status, 'incomplete')
  assert.equal(completion.message.text, 'ab')
  assert.equal(completion.finishReason, '')
})

test('S21 an event of an unknown type is ignored', () => {
  const { completion } = decodeOpenAi([GOOD, 'event: vertex_event\ndata: {}\n\n', END])
  assert.equal(completion.message.text, 'good')
  assert.equal(completion.status, 'complete')
})

test('S22 a call runs although the finish reason says stop', () => {
  const call = { index: 0, id: 'a', function: { name: 'read', arguments: '{}' } }
  const { completion } = decodeOpenAi([delta({ tool_calls: [call] }), END])
  assert.deepEqual(completion.message.toolCalls, [{ id: 'a', name: 'read', arguments: '{}' }])
})

test('PRO-11 an event that the end leaves without its blank line counts', () => {
  const { completion } = decodeOpenAi([GOOD.trimEnd(), '\n', END.slice(0, -1)])
  assert.equal(completion.status, 'incomplete')
  assert.equal(decodeOpenAi([GOOD, END.trimEnd()]).completion.status, 'complete')
  assert.equal(decodeOpenAi([GOOD, END.slice(0, -1)]).completion.status, 'complete')
})

test('PRO-8 comments and pings are no progress; data is, even before its line ends', () => {
  const { results } = frame([
    ': beat\n\n',
    ':',
    ' beat',
    '\n\n',
    'event: ping\ndata: {}\n\n',
    'data: 1',
    '\n\n',
  ])
  assert.deepEqual(results, ['idle', 'idle', 'idle', 'idle', 'idle', 'progress', 'progress'])
})

test('PRO-10 an event larger than the bound ends the reading', () => {
  const lines = Array.from({ length: 20 }, () => `data: ${'x'.repeat(100)}\n`)
  assert.equal(frame(lines, 1000).results.at(-1), 'overflow')
  assert.equal(frame(['data: ', 'x'.repeat(600), 'x'.repeat(600)], 1000).results.at(-1), 'overflow')
})

test('S1 a byte order mark at the start is no text', () => {
  assert.deepEqual(frame(['\ufeffdata: 1\n\n']).events, [{ event: undefined, data: '1' }])
})
