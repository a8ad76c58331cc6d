import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemClock } from '../../host/base/clock.ts'
import { listModels } from '../../host/llm/list-models.ts'
import { openAiDialect } from '../../host/llm/openai/dialect.ts'
import { createTransport } from '../../host/llm/transport.ts'
import { ask, createChatFixture, watch } from '../support/chat-fixture.ts'
import {
  type Answer,
  finishChunk,
  type ModelServer,
  sendJson,
  sendStream,
  startModelServer,
  textChunk,
} from '../support/model-server.ts'

const open: (() => Promise<void>)[] = []
after(async () => {
  for (const close of open) await close()
})

async function serve(answer: Answer): Promise<ModelServer> {
  const server = await startModelServer(answer)
  open.push(() => server.close())
  return server
}

function fixture(...args: Parameters<typeof createChatFixture>) {
  const made = createChatFixture(...args)
  open.push(() => made.transport.close())
  return made
}

test('PRO-8 S1 a character cut in two by the network arrives whole', async () => {
  const bytes = Buffer.from(`data: ${textChunk('北京')}\n\n`)
  const at = bytes.indexOf(0xe5) + 1
  const server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(bytes.subarray(0, at), () => {
      setImmediate(() =>
        response.end(Buffer.concat([bytes.subarray(at), Buffer.from(`data: ${finishChunk()}\n\n`)])),
      )
    })
  })
  const completion = await fixture(server.origin).client.chat(ask('hi'), watch())
  assert.equal(completion.message.text, '北京')
  assert.equal(completion.status, 'complete')
})

test('PRO-8 one connection serves turn after turn', async () => {
  const server = await serve((response) => sendStream(response, textChunk('ok'), finishChunk(), '[DONE]'))
  const { client } = fixture(server.origin)
  for (let turn = 0; turn < 3; turn++) await client.chat(ask('hi'), watch())
  assert.deepEqual(
    server.seen.map(({ connection }) => connection),
    [1, 1, 1],
  )
})

test('PRO-8 a server that sends nothing is given up at the first-byte deadline', async () => {
  const server = await serve(() => {})
  const { client } = fixture(server.origin, { retry: { attempts: 1 } }, { deadlines: { firstByteMs: 60 } })
  const { error } = await client.chat(ask('hi'), watch())
  assert.equal(error?.kind, 'stalled')
  assert.equal(error?.retryable, true)
})

test('PRO-8 keep-alives are no progress: comments alone end at the stall deadline, text kept', async () => {
  const server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${textChunk('half')}\n\n`)
    const beat = setInterval(() => response.write(': keep-alive\n\n'), 10)
    response.on('close', () => clearInterval(beat))
  })
  const { client } = fixture(server.origin, {}, { deadlines: { stallMs: 80 } })
  const completion = await client.chat(ask('hi'), watch())
  assert.equal(completion.error?.kind, 'stalled')
  assert.equal(completion.message.text, 'half')
  assert.equal(completion.status, 'incomplete')
})

test('PRO-8 progress moves the deadline: a slow live stream has no total limit', async () => {
  const server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let sent = 0
    const beat = setInterval(() => {
      sent++
      if (sent <= 8) response.write(`data: ${textChunk(String(sent))}\n\n`)
      else response.end(`data: ${finishChunk()}\n\n`)
    }, 25)
    response.on('close', () => clearInterval(beat))
  })
  const { client } = fixture(server.origin, {}, { deadlines: { firstByteMs: 150, stallMs: 150 } })
  const completion = await client.chat(ask('hi'), watch())
  assert.equal(completion.message.text, '12345678')
  assert.equal(completion.status, 'complete')
})

test('R8 a connection reset in the middle of the text is an error, never a stop', async () => {
  const server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${textChunk('half')}\n\n`, () => {
      setImmediate(() => response.socket?.resetAndDestroy())
    })
  })
  const completion = await fixture(server.origin).client.chat(ask('hi'), watch())
  assert.equal(completion.status, 'incomplete')
  assert.equal(completion.error?.kind, 'network')
  assert.equal(completion.message.text, 'half')
  assert.equal(completion.finishReason, '')
})

test('PRO-8 cancelling in mid-stream ends the request at once and hands on no more', async () => {
  const server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const beat = setInterval(() => response.write(`data: ${textChunk('x')}\n\n`), 5)
    response.on('close', () => clearInterval(beat))
  })
  const controller = new AbortController()
  const watcher = watch({ signal: controller.signal, onText: () => controller.abort() })
  const completion = await fixture(server.origin).client.chat(ask('hi'), watcher)
  assert.equal(completion.error?.kind, 'cancelled')
  assert.equal(watcher.text(), 'x')
})

test('PRO-12 a refused connection names the address and what to do', async () => {
  const server = await startModelServer(() => {})
  await server.close()
  const { client } = fixture(server.origin, { retry: { attempts: 1 } })
  const { error } = await client.chat(ask('hi'), watch())
  assert.equal(error?.kind, 'network')
  assert.ok(error?.message.includes(server.origin))
  assert.match(error?.hint ?? '', /--api-base/)
})

test('PRO-13 no credential header is made of an empty key, and a redirect is not followed', async () => {
  const target = await serve((response) => sendStream(response, textChunk('stolen'), finishChunk()))
  const server = await serve((response) => {
    response.writeHead(307, { location: `${target.origin}/v1/chat/completions` })
    response.end()
  })
  const { client } = fixture(server.origin, { apiKey: 'secret-of-the-user' })
  const { error } = await client.chat(ask('hi'), watch())
  assert.equal(target.seen.length, 0)
  assert.ok(error?.message.includes(target.origin))
  await fixture(server.origin).client.chat(ask('hi'), watch())
  assert.equal(server.seen[0]?.headers.authorization, 'Bearer secret-of-the-user')
  assert.equal('authorization' in (server.seen[1]?.headers ?? {}), false)
})

test('PRO-13 a key that a server quotes is masked in the error', async () => {
  const key = 'acme-0123456789-secret'
  const server = await serve((response) =>
    sendJson(response, 401, { error: { message: `No such key: ${key} (or sk-proj-abcdefghijkl)` } }),
  )
  const { error } = await fixture(server.origin, { apiKey: key }).client.chat(ask('hi'), watch())
  assert.equal(error?.kind, 'auth')
  assert.doesNotMatch(JSON.stringify(error), /secret|abcdefghijkl/)
})

test('PRO-10 a body that is no answer becomes a typed error with a snippet', async () => {
  const server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<html><body>Welcome to nginx</body></html>')
  })
  const { error } = await fixture(server.origin).client.chat(ask('hi'), watch())
  assert.equal(error?.kind, 'protocol')
  assert.match(error?.message ?? '', /Welcome to nginx/)
})

test('PRO-8 a server that answers a streaming request with one JSON body is understood', async () => {
  const server = await serve((response) =>
    sendJson(response, 200, { choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }] }),
  )
  const watcher = watch()
  const completion = await fixture(server.origin).client.chat(ask('hi'), watcher)
  assert.equal(completion.message.text, 'whole')
  assert.equal(watcher.text(), 'whole')
  assert.equal(watcher.chunks.filter(({ type }) => type === 'end').length, 1)
})

test('PRO-8 buffered bodies are bounded, and a request may have a total deadline', async () => {
  const server = await serve((response, { path }) => {
    if (path === '/large') sendJson(response, 200, 'x'.repeat(100_000))
    else response.write(' ')
  })
  const transport = createTransport({ clock: systemClock, env: {} })
  open.push(() => transport.close())
  const get = async (path: string) => {
    const answer = await transport.send({
      method: 'GET',
      url: `${server.origin}${path}`,
      headers: {},
      signal: new AbortController().signal,
      totalMs: 80,
    })
    assert.equal(answer.kind, 'response')
    return answer.kind === 'response' ? answer.response.text(10_000) : undefined
  }
  const large = await get('/large')
  assert.equal(large?.kind === 'failed' ? large.error.kind : '', 'protocol')
  const slow = await get('/slow')
  assert.equal(slow?.kind === 'failed' ? slow.error.kind : '', 'stalled')
})

test('PRO-8 a proxy is used for what is not on this machine, and one that hangs up is an error', async () => {
  const proxy = await serve((response) => sendJson(response, 200, {}))
  const direct = await serve((response) => sendJson(response, 200, {}))
  const env = { HTTP_PROXY: proxy.origin, HTTPS_PROXY: proxy.origin }
  const transport = createTransport({ clock: systemClock, env })
  open.push(() => transport.close())
  const send = async (url: string) => {
    const signal = new AbortController().signal
    const answer = await transport.send({ method: 'GET', url, headers: {}, signal })
    if (answer.kind === 'response') answer.response.discard()
    return answer
  }
  await send('http://model.test/v1/models')
  assert.equal(proxy.seen[0]?.path, 'http://model.test/v1/models')
  await send(`${direct.origin}/v1/models`)
  assert.equal(direct.seen.length, 1)
  const refused = await send('https://model.test/v1/models')
  assert.match(refused.kind === 'failed' ? refused.error.message : '', /proxy closed the connection/)
})

test('PRO-7 the models of a server are listed with its key, and a refusal is a named error', async () => {
  const server = await serve((response, { headers }) => {
    if (headers.authorization === 'Bearer good')
      sendJson(response, 200, { data: [{ id: 'a', context_length: 8 }] })
    else sendJson(response, 401, { error: { message: 'no' } })
  })
  const transport = createTransport({ clock: systemClock, env: {} })
  open.push(() => transport.close())
  const list = (apiKey: string) =>
    listModels(
      { transport, dialect: openAiDialect, clock: systemClock },
      { provider: 'acme', apiBase: `${server.origin}/v1`, apiKey, model: '' },
      { signal: new AbortController().signal },
    )
  assert.deepEqual(await list('good'), { kind: 'models', models: [{ id: 'a', contextWindow: 8 }] })
  assert.equal(server.seen[0]?.path, '/v1/models')
  const refused = await list('bad')
  assert.equal(refused.kind === 'failed' ? refused.error.kind : '', 'auth')
})
