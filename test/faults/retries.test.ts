import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemClock } from '../../host/base/clock.ts'
import type { ChatClientConfig } from '../../host/llm/client.ts'
import { RETRY_POLICY, withRetries } from '../../host/llm/retry.ts'
import { readRetryAfter } from '../../host/llm/retry-after.ts'
import { ask, createChatFixture, watch } from '../support/chat-fixture.ts'
import { createManualClock } from '../support/manual-clock.ts'
import {
  type Answer,
  finishChunk,
  sendJson,
  sendStream,
  startModelServer,
  textChunk,
} from '../support/model-server.ts'

const open: (() => Promise<void>)[] = []
after(async () => {
  for (const close of open) await close()
})

async function chatWith(answer: Answer, config: Partial<ChatClientConfig> = {}) {
  const server = await startModelServer(answer)
  const fixture = createChatFixture(server.origin, config)
  open.push(
    () => fixture.transport.close(),
    () => server.close(),
  )
  return { server, client: fixture.client }
}

function runSoon(_ms: number, run: () => void): () => void {
  setImmediate(run)
  return () => {}
}

const LIMITED = { error: { message: 'Rate limit reached', type: 'rate_limit_error' } }
const NO_WAIT = { retry: { baseMs: 0 } }

test('R1 Retry-After is a minimum, and the countdown is told', async () => {
  const clock = createManualClock()
  const server = await startModelServer((response, _request, number) => {
    if (number === 1) sendJson(response, 429, LIMITED, { 'retry-after': '3' })
    else sendStream(response, textChunk('ok'), finishChunk())
  })
  const { client, transport } = createChatFixture(server.origin, {}, { clock })
  open.push(
    () => transport.close(),
    () => server.close(),
  )
  const watcher = watch()
  let waiting: () => void = () => {}
  const waits = new Promise<void>((resolve) => {
    waiting = resolve
  })
  const chat = client.chat(ask('hi'), {
    ...watcher,
    onRetry(notice) {
      assert.deepEqual([notice.attempt, notice.attempts, notice.waitMs], [1, 3, 3000])
      setImmediate(waiting)
    },
  })
  await waits
  clock.advance(2999)
  assert.equal(clock.pending(), 1)
  assert.equal(server.seen.length, 1)
  clock.advance(1)
  const completion = await chat
  assert.equal(completion.message.text, 'ok')
  assert.equal(server.seen.length, 2)
})

test('R1 Retry-After is read as seconds, as a date and in milliseconds', () => {
  const read = (headers: Record<string, string>) => readRetryAfter((name) => headers[name], 1_000_000_000_000)
  assert.equal(read({ 'retry-after': '3' }), 3000)
  assert.equal(read({ 'retry-after-ms': '1500', 'retry-after': '9' }), 1500)
  assert.equal(read({ 'retry-after': 'Sun, 09 Sep 2001 01:46:45 GMT' }), 5000)
  assert.equal(read({ 'retry-after': 'soon' }), undefined)
  assert.equal(read({}), undefined)
})

test('R3 R5 a permanent 429 ends after three attempts, each told, and the message says so', async () => {
  const { server, client } = await chatWith((response) => sendJson(response, 429, LIMITED), NO_WAIT)
  const watcher = watch()
  const { error } = await client.chat(ask('hi'), watcher)
  assert.equal(server.seen.length, 3)
  assert.deepEqual(
    watcher.retries.map(({ attempt }) => attempt),
    [1, 2],
  )
  assert.equal(error?.kind, 'rate-limit')
  assert.match(error?.message ?? '', /Rate limit reached.*tried 3 times/)
})

test('R4 an empty purse is not tried again, and is called by its name', async () => {
  const body = { error: { message: 'You exceeded your current quota', type: 'insufficient_quota' } }
  const { server, client } = await chatWith((response) => sendJson(response, 429, body), NO_WAIT)
  const { error } = await client.chat(ask('hi'), watch())
  assert.equal(server.seen.length, 1)
  assert.equal(error?.kind, 'quota')
  assert.match(`${error?.message} ${error?.hint}`, /credit|billing/)
})

test('R6 a rate limit that talks of tokens is no overflow and teaches no window', async () => {
  const body = {
    error: { message: 'Limited: too many tokens per min, limit 6000, context length of requests' },
  }
  const { server, client } = await chatWith((response) => sendJson(response, 429, body), NO_WAIT)
  const { error } = await client.chat(ask('hi'), watch())
  assert.equal(error?.kind, 'rate-limit')
  assert.equal(server.seen.length, 3)
  assert.equal(client.contextWindow(), undefined)
})

test('R7 S14 a rate limit inside a stream is an error with a retry policy, text kept', async () => {
  const limited = JSON.stringify({ error: { message: 'slow down', code: 'rate_limit_exceeded' } })
  const { server, client } = await chatWith(
    (response) => sendStream(response, textChunk('half'), limited),
    NO_WAIT,
  )
  const completion = await client.chat(ask('hi'), watch())
  assert.equal(completion.status, 'error')
  assert.equal(completion.error?.kind, 'rate-limit')
  assert.equal(completion.message.text, 'half')
  assert.match(completion.error?.message ?? '', /already shown/)
  assert.equal(server.seen.length, 1)
})

const TORN: Answer = (response, _request, number) => {
  if (number > 1) sendStream(response, textChunk('whole'), finishChunk())
  else
    sendStream(
      response,
      textChunk('half'),
      JSON.stringify({ error: { type: 'overloaded_error', message: 'Overloaded' } }),
    )
}

test('P11 overload in mid-stream is tried again when no text was shown, once and visibly', async () => {
  const { client } = await chatWith(TORN, NO_WAIT)
  const watcher = watch({ holdsText: true })
  const completion = await client.chat(ask('hi'), watcher)
  assert.equal(completion.message.text, 'whole')
  assert.equal(watcher.retries.length, 1)
  assert.equal(watcher.retries[0]?.error.kind, 'overloaded')
  assert.equal(watcher.chunks.filter(({ type }) => type === 'end').length, 1)
})

test('PRO-8 --retry-partial tries again after text, and says that the text was partial', async () => {
  const { client } = await chatWith(TORN, { ...NO_WAIT, retryPartial: true })
  const watcher = watch()
  const completion = await client.chat(ask('hi'), watcher)
  assert.equal(completion.message.text, 'whole')
  assert.equal(watcher.retries[0]?.partial, true)
})

test('PRO-8 401 and 403 are never tried again', async () => {
  for (const status of [401, 403]) {
    const { server, client } = await chatWith((response) => sendJson(response, status, {}), NO_WAIT)
    const { error } = await client.chat(ask('hi'), watch())
    assert.equal(error?.kind, 'auth')
    assert.equal(server.seen.length, 1)
  }
})

test('PRO-8 a server that asks to wait for an hour is not waited for', async () => {
  const { server, client } = await chatWith((response) =>
    sendJson(response, 429, LIMITED, { 'retry-after': '3600' }),
  )
  const { error } = await client.chat(ask('hi'), watch())
  assert.equal(server.seen.length, 1)
  assert.match(error?.message ?? '', /60 minutes/)
})

test('PRO-8 a cancellation ends the wait at once', async () => {
  const { server, client } = await chatWith((response) =>
    sendJson(response, 429, LIMITED, { 'retry-after': '200' }),
  )
  const controller = new AbortController()
  const watcher = watch({ signal: controller.signal })
  const completion = await client.chat(ask('hi'), {
    ...watcher,
    onRetry: () => setImmediate(() => controller.abort()),
  })
  assert.equal(completion.error?.kind, 'cancelled')
  assert.equal(server.seen.length, 1)
})

test('PRO-8 waits grow with full jitter between 0 and a bound', async () => {
  const waits: number[] = []
  await withRetries(
    async () => ({
      textShown: false,
      completion: {
        message: { role: 'assistant', text: '', toolCalls: [] },
        finishReason: '',
        status: 'error',
        usage: undefined,
        dropped: 0,
        error: { kind: 'server', retryable: true, message: 'x', hint: 'y' },
      },
    }),
    {
      clock: { ...systemClock, after: runSoon },
      random: () => 1,
      signal: new AbortController().signal,
      policy: { ...RETRY_POLICY, attempts: 7 },
      retryPartial: false,
      onRetry: ({ waitMs }) => waits.push(waitMs),
    },
  )
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 8000])
})

test('S17 a stream that stops before its end is incomplete; with nothing shown it is tried again', async () => {
  const { server, client } = await chatWith(
    (response) => sendStream(response, textChunk('a'), textChunk('b')),
    NO_WAIT,
  )
  const completion = await client.chat(ask('hi'), watch())
  assert.equal(completion.status, 'incomplete')
  assert.equal(completion.message.text, 'ab')
  assert.match(completion.error?.message ?? '', /stopped before the end/)
  assert.equal(server.seen.length, 1)
  const silent = await chatWith((response, _request, number) => {
    if (number === 1) sendStream(response, JSON.stringify({ choices: [{ delta: { role: 'assistant' } }] }))
    else sendStream(response, textChunk('ok'), finishChunk())
  }, NO_WAIT)
  assert.equal((await silent.client.chat(ask('hi'), watch())).message.text, 'ok')
})

test('S19 a stream of comments alone is an error that says that no data came', async () => {
  const { client } = await chatWith((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(': hb\n\n: hb\n\n: hb\n\n')
  }, NO_WAIT)
  const { error, status } = await client.chat(ask('hi'), watch())
  assert.equal(status, 'incomplete')
  assert.match(error?.message ?? '', /no data/)
})

test('PRO-8 a 400 that teaches the context window teaches it although the call failed', async () => {
  const message =
    "This model's maximum context length is 4097 tokens. However, your messages resulted in 4363 tokens."
  const { client } = await chatWith((response) => sendJson(response, 400, { error: { message } }))
  const { error } = await client.chat(ask('hi'), watch())
  assert.equal(error?.kind, 'context-overflow')
  assert.equal(client.contextWindow(), 4097)
  client.learnContextWindow(128_000)
  assert.equal(client.contextWindow(), 4097)
})

test('PRO-8 a 400 whose body is an empty event stream is tried again', async () => {
  const { client } = await chatWith((response, _request, number) => {
    if (number > 1) sendStream(response, textChunk('ok'), finishChunk())
    else response.writeHead(400, { 'content-type': 'text/event-stream' }).end('data: [DONE]\n\n')
  }, NO_WAIT)
  assert.equal((await client.chat(ask('hi'), watch())).message.text, 'ok')
})
