import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { systemClock } from '../../host/base/clock.ts'
import { createChatClient } from '../../host/llm/client.ts'
import { prepareRequest } from '../../host/llm/prepare.ts'
import { createTransport } from '../../host/llm/transport.ts'
import { geminiDialect } from '../../plugins/gemini/dialect.ts'
import { ask, watch } from '../support/chat-fixture.ts'
import { classified, decodeStream, inPieces, readBuffered, sseEvent } from '../support/dialect-wire.ts'
import { type Answer, startModelServer } from '../support/model-server.ts'

const open: (() => Promise<void>)[] = []
after(async () => {
  for (const close of open) await close()
})

/** A chunk with one candidate. */
function chunk(parts: readonly unknown[], more: object = {}, usageMetadata?: object): string {
  const candidates = [{ content: { role: 'model', parts }, index: 0, ...more }]
  return sseEvent({ candidates, responseId: 'r1', ...(usageMetadata === undefined ? {} : { usageMetadata }) })
}

const finished = { finishReason: 'STOP' }
const decode = (...events: readonly string[]) => decodeStream(geminiDialect, [events.join('')])
const call = (name: string, args: object = {}, more: object = {}) => ({
  functionCall: { name, args },
  ...more,
})

test('PRO-10 a reply is complete with a finish reason; text may follow one', () => {
  const { completion, text, ends } = decode(
    chunk([{ text: 'Hel' }], finished),
    chunk([{ text: 'lo' }], finished, { promptTokenCount: 3, candidatesTokenCount: 2 }),
  )
  assert.deepEqual([completion.message.text, text, ends], ['Hello', 'Hello', 1])
  assert.equal(completion.status, 'complete')
  assert.equal(completion.finishReason, 'STOP')
  assert.deepEqual([completion.usage?.inputTokens, completion.usage?.outputTokens], [3, 2])
})

test('S17 a stream without a finish reason is incomplete, and its calls do not run', () => {
  const { completion } = decode(chunk([{ text: 'Hel' }, call('read')]))
  assert.equal(completion.status, 'incomplete')
  assert.equal(completion.message.text, 'Hel')
  assert.deepEqual(completion.message.toolCalls, [])
})

test('PRO-11 thought parts are thinking, not answer', () => {
  const { completion, reasoning, text } = decode(
    chunk([{ text: 'hm', thought: true }, { text: 'so' }], finished),
  )
  assert.deepEqual([reasoning, text], ['hm', 'so'])
  assert.equal(completion.message.reasoning, 'hm')
})

test('P4 P5 calls without ids get their own, even of one tool in one response or in several chunks', () => {
  const { completion } = decode(
    chunk([call('weather', { city: 'a' }), call('weather', { city: 'b' })]),
    chunk([call('weather', { city: 'c' })], finished),
  )
  const calls = completion.message.toolCalls
  assert.equal(new Set(calls.map(({ id }) => id)).size, 3)
  assert.deepEqual(
    calls.map(({ arguments: args }) => args),
    ['{"city":"a"}', '{"city":"b"}', '{"city":"c"}'],
  )
})

test('P2 P6 P7 a signed call goes back with its signature, its response with its name', () => {
  const first = decode(
    chunk(
      [{ text: 'I look.', thoughtSignature: 's0' }, call('read', { path: 'x' }, { thoughtSignature: 's1' })],
      finished,
    ),
  ).completion.message
  const origin = { flavor: 'gemini', model: 'gemini-2.5-pro' }
  const [made] = first.toolCalls
  assert.ok(made)
  const { request } = prepareRequest(
    {
      messages: [
        { role: 'user', text: 'hi' },
        { ...first, origin },
        { role: 'tool', callId: made.id, name: '', ok: true, text: 'text' },
      ],
      tools: [],
      stream: true,
    },
    origin,
  )
  const body = geminiDialect.buildChatBody(
    { apiBase: 'https://g.test', apiKey: '', model: 'gemini-2.5-pro' },
    {
      ...request,
      messages: request.messages.map((one) => (one.role === 'tool' ? { ...one, name: '' } : one)),
    },
  )
  assert.deepEqual(body.contents, [
    { role: 'user', parts: [{ text: 'hi' }] },
    {
      role: 'model',
      parts: [
        { text: 'I look.', thoughtSignature: 's0' },
        { functionCall: { name: 'read', args: { path: 'x' } }, thoughtSignature: 's1' },
      ],
    },
    { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: 'text' } } }] },
  ])
})

test('PRO-11 arguments in fragments come together, each call by itself', () => {
  const part = (given: object) => chunk([{ functionCall: given }])
  const piece = (jsonPath: string, value: object, more: object = {}) =>
    part({ partialArgs: [{ jsonPath, ...value, ...more }], willContinue: true })
  const { completion, chunks } = decode(
    part({ name: 'go', willContinue: true }),
    piece('$.to', { stringValue: 'Bos' }, { willContinue: true }),
    piece('$.to', { stringValue: 'ton' }),
    piece("$.stops[0]['the name']", { stringValue: 'x' }),
    piece('$.stops[1].count', { numberValue: 2 }),
    piece('$.fast', { boolValue: true }),
    piece('$.note', { nullValue: 'NULL_VALUE' }),
    piece('no path', { stringValue: 'lost' }),
    part({}),
    chunk([{ functionCall: { name: 'go', willContinue: true } }]),
    chunk([{ functionCall: {} }], finished),
  )
  assert.deepEqual(
    completion.message.toolCalls.map(({ arguments: args }) => JSON.parse(args)),
    [{ to: 'Boston', stops: [{ 'the name': 'x' }, { count: 2 }], fast: true, note: null }, {}],
  )
  assert.equal(chunks.filter(({ type }) => type === 'toolCallStarted').length, 2)
})

test('PRO-10 a call in fragments whose end never came is not run, however whole it looks', () => {
  const { completion } = decode(
    chunk([{ functionCall: { name: 'go', willContinue: true } }]),
    chunk(
      [{ functionCall: { partialArgs: [{ jsonPath: '$.to', stringValue: 'Bos' }], willContinue: true } }],
      {
        finishReason: 'MAX_TOKENS',
      },
    ),
  )
  assert.equal(completion.status, 'incomplete')
  assert.deepEqual(completion.message.toolCalls, [])
  assert.equal(completion.cutCalls?.length, 1)
  assert.equal(completion.finishReason, 'MAX_TOKENS')
})

test('P8 a malformed call is a typed error that may be tried again', () => {
  const body = {
    candidates: [{ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'print(x)' }],
  }
  for (const completion of [
    decode(sseEvent(body)).completion,
    readBuffered(geminiDialect, JSON.stringify(body)),
  ]) {
    assert.equal(completion.status, 'error')
    assert.equal(completion.error?.retryable, true)
    assert.ok(completion.error?.message.includes('print(x)'))
    assert.equal(completion.finishReason, 'MALFORMED_FUNCTION_CALL')
  }
})

test('P9 a blocked prompt and an answer of nothing are one clear error each', () => {
  const both = (body: object) => [
    decode(sseEvent(body)).completion,
    readBuffered(geminiDialect, JSON.stringify(body)),
  ]
  for (const completion of both({ promptFeedback: { blockReason: 'SAFETY' } })) {
    assert.equal(completion.status, 'error')
    assert.equal(completion.error?.kind, 'bad-request')
    assert.ok(completion.error?.message.includes('SAFETY'))
    assert.equal(completion.error?.retryable, false)
  }
  for (const completion of both({})) {
    assert.equal(completion.status, 'error')
    assert.equal(completion.error?.kind, 'protocol')
    assert.equal(completion.error?.retryable, false)
  }
})

test('PRO-10 of two candidates the first is the answer', () => {
  const candidate = (index: number, text: string) => ({ index, content: { parts: [{ text }] }, ...finished })
  const { completion } = decode(sseEvent({ candidates: [candidate(0, 'one'), candidate(1, 'two')] }))
  assert.equal(completion.message.text, 'one')
})

test('PRO-9 an answer, a list of chunks and a stream of them come to the same', () => {
  const chunks = [
    { candidates: [{ content: { parts: [{ text: 'Hel' }] } }] },
    {
      candidates: [{ content: { parts: [{ text: 'lo' }, call('read')] }, ...finished }],
      usageMetadata: { promptTokenCount: 2 },
    },
  ]
  const streamed = decode(...chunks.map((one) => sseEvent(one))).completion
  assert.deepEqual(readBuffered(geminiDialect, JSON.stringify(chunks)), streamed)
  assert.deepEqual(decode(sseEvent(chunks)).completion, streamed)
})

test('S14 an error in mid-stream is an error that keeps the text', () => {
  const error = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }
  const { completion } = decode(chunk([{ text: 'Hel' }]), sseEvent(error), chunk([{ text: 'lo' }], finished))
  assert.equal(completion.status, 'error')
  assert.equal(completion.message.text, 'Hel')
  const named = classified(geminiDialect, completion).error
  assert.deepEqual([named.kind, named.status, named.retryable], ['overloaded', 503, true])
})

test('S21 unknown events, parts and server tools change nothing', () => {
  const { completion } = decode(
    'event: vertex_event\ndata: {}\n\n',
    chunk([{ executableCode: { code: 'print(1)' } }, { codeExecutionResult: { output: '1' } }, 7, null]),
    chunk([{ text: 'so' }], finished),
    'data: [DONE]\n\n',
  )
  assert.equal(completion.message.text, 'so')
  assert.equal(completion.dropped, 0)
})

test('PRO-10 a body that is no answer is a protocol error with a snippet', () => {
  const html = readBuffered(geminiDialect, '<html>no</html>')
  assert.equal(html.error?.kind, 'protocol')
  assert.ok(html.error?.message.includes('<html>no'))
  const failed = readBuffered(geminiDialect, '[{"error":{"code":429,"message":"Slow down."}}]')
  assert.equal(classified(geminiDialect, failed).error.kind, 'rate-limit')
  for (const raw of [
    '',
    '[]',
    '7',
    'null',
    '[7]',
    '{"candidates":7}',
    '{"candidates":[7,null,{"content":7}]}',
  ]) {
    readBuffered(geminiDialect, raw)
  }
})

async function chat(answer: Answer) {
  const server = await startModelServer(answer)
  const transport = createTransport({ clock: systemClock, env: {} })
  open.push(
    () => server.close(),
    () => transport.close(),
  )
  const client = createChatClient(
    { transport, dialect: geminiDialect, clock: systemClock, random: () => 0 },
    { provider: 'gemini', model: 'gemini-2.5-pro', apiBase: server.origin, apiKey: 'k' },
  )
  const watching = watch()
  return { completion: await client.chat(ask('hi'), watching), server, watching }
}

test('P8 through the client: a malformed call is tried again and the good answer counts', async () => {
  const { completion, server, watching } = await chat((response, _request, number) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const bad = sseEvent({ candidates: [{ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }] })
    response.end(number === 1 ? bad : chunk([{ text: 'ok' }], finished))
  })
  assert.equal(completion.message.text, 'ok')
  assert.equal(watching.retries.length, 1)
  assert.equal(server.seen[0]?.path, '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse')
  assert.equal(server.seen[0]?.headers['x-goog-api-key'], 'k')
})

test('P9 through the client: a blocked prompt is asked once, and not again', async () => {
  const { completion, server } = await chat((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"promptFeedback":{"blockReason":"SAFETY"}}')
  })
  assert.equal(completion.error?.kind, 'bad-request')
  assert.equal(server.seen.length, 1)
})

test('PRO-7 random chunks never throw, end once, and come to the same in any pieces', () => {
  const known = fc.constantFrom(
    chunk([{ text: '北' }]),
    chunk([call('read')], finished),
    chunk([{ functionCall: { name: 'go', willContinue: true } }]),
    chunk([{ functionCall: { partialArgs: [{ jsonPath: '$.__proto__.x', stringValue: 'y' }] } }]),
    ': beat\n\n',
  )
  const strange = fc
    .dictionary(
      fc.constantFrom('candidates', 'promptFeedback', 'usageMetadata', 'error', 'x'),
      fc.jsonValue({ maxDepth: 3 }),
    )
    .map((data) => sseEvent(data))
  const parts = fc
    .array(
      fc.dictionary(
        fc.constantFrom('text', 'functionCall', 'thought', 'thoughtSignature'),
        fc.jsonValue({ maxDepth: 2 }),
      ),
    )
    .map((list) => chunk(list))
  fc.assert(
    fc.property(
      fc.array(fc.oneof(known, strange, parts), { maxLength: 10 }),
      fc.integer({ min: 1, max: 9 }),
      (events, size) => {
        const body = Buffer.from(events.join(''))
        const at = decodeStream(geminiDialect, [body])
        const cut = decodeStream(
          geminiDialect,
          inPieces(body, () => size),
        )
        assert.equal(at.ends, 1)
        assert.deepEqual(cut, at)
        for (const { arguments: args } of at.completion.message.toolCalls) JSON.parse(args)
      },
    ),
    { numRuns: 200 },
  )
})
