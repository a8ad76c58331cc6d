import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { systemClock } from '../../host/base/clock.ts'
import { createChatClient } from '../../host/llm/client.ts'
import { createTransport } from '../../host/llm/transport.ts'
import { anthropicDialect } from '../../plugins/anthropic/dialect.ts'
import { ask, watch } from '../support/chat-fixture.ts'
import { classified, decodeStream, inPieces, readBuffered } from '../support/dialect-wire.ts'
import { startModelServer } from '../support/model-server.ts'

const open: (() => Promise<void>)[] = []
after(async () => {
  for (const close of open) await close()
})

/** An event as the API sends it: its name is its data's type. */
function event(data: { readonly type: string; readonly [member: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

const start = (id = 'msg_1', usage: unknown = { input_tokens: 10, output_tokens: 1 }) =>
  event({ type: 'message_start', message: { id, role: 'assistant', content: [], usage } })
const begin = (index: number, content_block: unknown) =>
  event({ type: 'content_block_start', index, content_block })
const delta = (index: number, piece: unknown) => event({ type: 'content_block_delta', index, delta: piece })
const text = (index: number, piece: string) => delta(index, { type: 'text_delta', text: piece })
const json = (index: number, piece: string) => delta(index, { type: 'input_json_delta', partial_json: piece })
const tool = (index: number, id: string, name: string) =>
  begin(index, { type: 'tool_use', id, name, input: {} })
const close = (index: number) => event({ type: 'content_block_stop', index })
const finish = (stop_reason: string, usage: unknown = { output_tokens: 5 }, more: object = {}) =>
  event({ type: 'message_delta', delta: { stop_reason, ...more }, usage })
const stop = event({ type: 'message_stop' })
const hello = [begin(0, { type: 'text', text: '' }), text(0, 'Hel'), text(0, 'lo'), close(0)]
const whole = [start(), ...hello, finish('end_turn'), stop]

const decode = (...events: readonly string[]) => decodeStream(anthropicDialect, [events.join('')])

test('PRO-10 a whole stream is complete, and its end is told once', () => {
  const { completion, text: told, ends } = decode(...whole, stop, 'data: [DONE]\n\n')
  assert.equal(completion.message.text, 'Hello')
  assert.equal(told, 'Hello')
  assert.equal(completion.status, 'complete')
  assert.equal(completion.finishReason, 'end_turn')
  assert.equal(ends, 1)
  assert.equal(completion.dropped, 0)
})

test('S13 later usage overwrites a number with a number, never with nothing', () => {
  const usage = (later: unknown) =>
    decode(start(), ...hello, finish('end_turn', later), stop).completion.usage
  assert.equal(usage({ output_tokens: 5 })?.inputTokens, 10)
  assert.equal(usage({ input_tokens: null, output_tokens: 5 })?.inputTokens, 10)
  assert.equal(usage({ input_tokens: 12, output_tokens: 5 })?.inputTokens, 12)
  assert.equal(usage(null)?.outputTokens, 1)
})

test('S18 a stream without its end is incomplete, with its text', () => {
  const { completion } = decode(start(), ...hello.slice(0, 3))
  assert.equal(completion.status, 'incomplete')
  assert.equal(completion.message.text, 'Hello')
  assert.equal(decode(start(), ...hello, finish('end_turn')).completion.status, 'complete')
})

test('S21 unknown events, blocks and deltas change nothing', () => {
  const { completion } = decode(
    start(),
    'event: vertex_event\ndata: {}\n\n',
    event({ type: 'ping' }),
    begin(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
    json(0, '{"query":"x"}'),
    close(0),
    begin(1, { type: 'web_search_tool_result', content: [] }),
    begin(2, { type: 'text', text: '' }),
    delta(2, { type: 'citations_delta', citation: {} }),
    text(2, 'found'),
    finish('pause_turn'),
    stop,
  )
  assert.equal(completion.message.text, 'found')
  assert.deepEqual(completion.message.toolCalls, [])
  assert.equal(completion.finishReason, 'pause_turn')
  assert.equal(completion.dropped, 0)
})

test('D8 fragments go to the block of their index, whatever came last', () => {
  const { completion, chunks } = decode(
    start(),
    tool(1, 'a', 'read'),
    tool(2, 'b', 'write'),
    json(1, '{"x"'),
    json(2, '{"y"'),
    json(1, ':1}'),
    json(2, ':2}'),
    finish('tool_use'),
    stop,
  )
  assert.deepEqual(
    completion.message.toolCalls.map(({ id, arguments: args }) => [id, args]),
    [
      ['a', '{"x":1}'],
      ['b', '{"y":2}'],
    ],
  )
  assert.deepEqual(
    chunks.filter(({ type }) => type === 'toolCallStarted'),
    [
      { type: 'toolCallStarted', index: 0, name: 'read' },
      { type: 'toolCallStarted', index: 1, name: 'write' },
    ],
  )
})

test('PRO-10 a call that was cut never runs, by the end of the stream or by the token limit', () => {
  const cut = [start(), tool(0, 'a', 'read'), json(0, '{"path": "/tmp/im')]
  for (const { completion } of [decode(...cut), decode(...cut, finish('max_tokens'), stop)]) {
    assert.equal(completion.status, 'incomplete')
    assert.deepEqual(completion.message.toolCalls, [])
    assert.deepEqual(
      completion.cutCalls?.map(({ id }) => id),
      ['a'],
    )
  }
})

test('PRO-9 a call whose input stands in its beginning, and one without an id', () => {
  const { completion } = decode(
    start(),
    begin(0, { type: 'tool_use', id: '', name: 'read', input: { path: 'x' } }),
    finish('tool_use'),
    stop,
  )
  const [call] = completion.message.toolCalls
  assert.equal(call?.arguments, '{"path":"x"}')
  assert.ok(call?.id)
})

test('PRO-10 the same beginning twice is one, another one is two answers in one stream', () => {
  assert.equal(decode(start(), ...whole).completion.status, 'complete')
  const { completion } = decode(start(), ...hello, start('msg_2'), ...hello, stop)
  assert.equal(completion.status, 'error')
  assert.equal(completion.error?.kind, 'protocol')
  assert.equal(completion.error?.retryable, true)
  assert.equal(completion.message.text, 'Hello')
})

test('P10 an overload in mid-stream is an error that keeps the text', () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  const { completion } = decode(start(), ...hello.slice(0, 2), event(error))
  assert.equal(completion.status, 'error')
  assert.equal(completion.message.text, 'Hel')
  const named = classified(anthropicDialect, completion).error
  assert.equal(named.kind, 'overloaded')
  assert.equal(named.retryable, true)
  assert.equal(decode('event: error\nid: 1\n\n').completion.status, 'error')
})

test('P10 other errors in mid-stream are named by their type', () => {
  const kindOf = (type: string) => {
    const { completion } = decode(start(), event({ type: 'error', error: { type, message: 'No.' } }))
    const { kind, retryable } = classified(anthropicDialect, completion).error
    return [kind, retryable]
  }
  assert.deepEqual(kindOf('rate_limit_error'), ['rate-limit', true])
  assert.deepEqual(kindOf('api_error'), ['server', true])
  assert.deepEqual(kindOf('authentication_error'), ['auth', false])
  assert.deepEqual(kindOf('billing_error'), ['quota', false])
  assert.deepEqual(kindOf('invalid_request_error'), ['bad-request', false])
})

test('P11 an overload before any text is tried again, visibly, and once', async () => {
  const server = await startModelServer((response, _request, number) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    response.end(number === 1 ? start() + event(error) : whole.join(''))
  })
  const transport = createTransport({ clock: systemClock, env: {} })
  open.push(
    () => server.close(),
    () => transport.close(),
  )
  const client = createChatClient(
    { transport, dialect: anthropicDialect, clock: systemClock, random: () => 0 },
    { provider: 'anthropic', model: 'claude-sonnet-4-5', apiBase: server.origin, apiKey: 'k' },
  )
  const watching = watch()
  const completion = await client.chat(ask('hi'), watching)
  assert.equal(completion.message.text, 'Hello')
  assert.equal(watching.retries.length, 1)
  assert.equal(watching.retries[0]?.error.kind, 'overloaded')
  assert.equal(server.seen[0]?.path, '/v1/messages')
  assert.equal(server.seen[0]?.headers['x-api-key'], 'k')
})

test('PRO-11 thinking is told as thinking and kept with its signature; without one it is not sent back', () => {
  const thinking = (signature: string) =>
    decode(
      start(),
      begin(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'hm' }),
      ...(signature === '' ? [] : [delta(0, { type: 'signature_delta', signature })]),
      begin(1, { type: 'redacted_thinking', data: 'd' }),
      begin(2, { type: 'text', text: 'so' }),
      finish('end_turn'),
      stop,
    )
  const { completion, reasoning, text: told } = thinking('sig')
  assert.deepEqual([reasoning, told], ['hm', 'so'])
  const rest = [
    { type: 'redacted_thinking', data: 'd' },
    { type: 'text', text: 'so' },
  ]
  assert.deepEqual(completion.message.replay, {
    blocks: [{ type: 'thinking', thinking: 'hm', signature: 'sig' }, ...rest],
  })
  assert.deepEqual(thinking('').completion.message.replay, { blocks: rest })
})

test('PRO-11 a refusal keeps its reason, and its explanation is no answer', () => {
  const details = { stop_details: { type: 'refusal', explanation: 'Not this.' } }
  const { completion } = decode(start(), finish('refusal', {}, details), stop)
  assert.equal(completion.finishReason, 'refusal')
  assert.equal(completion.refusal, 'Not this.')
  assert.equal(completion.message.text, '')
})

test('PRO-9 a buffered answer is read as the stream of the same blocks', () => {
  const answer = {
    type: 'message',
    id: 'msg_1',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 'a', name: 'read', input: { path: 'x' } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 10, output_tokens: 5 },
  }
  const buffered = readBuffered(anthropicDialect, JSON.stringify(answer))
  const streamed = decode(
    start(),
    begin(0, { type: 'thinking', thinking: 'hm', signature: 's' }),
    begin(1, { type: 'text', text: 'Hello' }),
    tool(2, 'a', 'read'),
    json(2, '{"path":"x"}'),
    finish('tool_use'),
    stop,
  ).completion
  assert.deepEqual(buffered, streamed)
})

test('PRO-10 a body that is no answer is a protocol error with a snippet; an error body is the server’s', () => {
  const html = readBuffered(anthropicDialect, '<html>no</html>')
  assert.equal(html.status, 'incomplete')
  assert.ok(html.error?.message.includes('<html>no'))
  const error = '{"type":"error","error":{"type":"not_found_error","message":"model: x"}}'
  assert.equal(classified(anthropicDialect, readBuffered(anthropicDialect, error)).error.kind, 'not-found')
  for (const raw of ['', '[]', '7', '{}', 'null', '{"content":7}', '{"content":[7,null,{}]}']) {
    readBuffered(anthropicDialect, raw)
  }
})

test('PRO-7 random events never throw, end once, and come to the same in any pieces', () => {
  const known = fc.constantFrom(...whole, tool(1, 'a', 'read'), json(1, '{"x":'), json(1, '1}'), ': beat\n\n')
  const strange = fc
    .tuple(
      fc.constantFrom(
        'message_start',
        'content_block_start',
        'content_block_delta',
        'message_delta',
        'error',
      ),
      fc.dictionary(
        fc.constantFrom('index', 'delta', 'content_block', 'message', 'usage', 'error', 'type'),
        fc.jsonValue({ maxDepth: 2 }),
      ),
    )
    .map(([type, members]) => event({ ...members, type }))
  fc.assert(
    fc.property(
      fc.array(fc.oneof(known, strange), { maxLength: 12 }),
      fc.integer({ min: 1, max: 9 }),
      (events, size) => {
        const body = Buffer.from(events.join(''))
        const at = decodeStream(anthropicDialect, [body])
        const cut = decodeStream(
          anthropicDialect,
          inPieces(body, () => size),
        )
        assert.equal(at.ends, 1)
        assert.deepEqual(cut, at)
      },
    ),
    { numRuns: 200 },
  )
})
