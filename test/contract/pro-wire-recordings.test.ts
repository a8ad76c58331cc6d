import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { startWirePlayer, startWireRecorder } from '../../host/testing/index.ts'
import { atEnd } from '../support/at-end.ts'

const KEY = 'sk-very-secret-0123456789'

/** A vendor that repeats the key, sets cookies, and counts. */
async function vendor(t: TestContext): Promise<string> {
  let count = 0
  const server = createServer((request, response) => {
    count += 1
    response.setHeader('set-cookie', 'session=1')
    response.setHeader('content-type', request.url === '/stream' ? 'text/event-stream' : 'application/json')
    if (request.url === '/busy') response.writeHead(429, { 'retry-after': '7' })
    response.end(
      request.url === '/stream'
        ? 'data: {"say":"☀"}\n\n'
        : JSON.stringify({ count, you: request.headers.authorization }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

test('PRO-13 the recorder passes on, and keeps what was answered without any credential', async (t) => {
  const recorder = await startWireRecorder(await vendor(t))
  atEnd(t, () => recorder.dispose())
  const headers = { authorization: `Bearer ${KEY}` }
  const first = await fetch(`${recorder.url}/balance?key=${KEY}&of=me`, { headers })
  assert.equal((await first.json()).you, `Bearer ${KEY}`)
  assert.equal((await fetch(`${recorder.url}/busy`, { headers })).headers.get('retry-after'), '7')
  await fetch(`${recorder.url}/stream`, { method: 'POST', body: '{}', headers }).then((answer) =>
    answer.text(),
  )
  const exchanges = recorder.exchanges()
  assert.doesNotMatch(JSON.stringify(exchanges), /very-secret|cookie/)
  assert.deepEqual(
    exchanges.map(({ method, path, status }) => `${method} ${path} ${status}`),
    ['GET /balance?key=***&of=me 200', 'GET /busy 429', 'POST /stream 200'],
  )
  assert.deepEqual(exchanges[2]?.body, 'data: {"say":"☀"}\n\n')
})

test('PRO-7 the player answers as was recorded, in order, and says what never was', async (t) => {
  const recorder = await startWireRecorder(await vendor(t))
  for (let time = 0; time < 2; time += 1) await fetch(`${recorder.url}/balance`)
  await recorder.dispose()
  const player = await startWirePlayer(recorder.exchanges())
  atEnd(t, () => player.dispose())
  const counts = []
  for (let time = 0; time < 3; time += 1) counts.push(await player.get(`${player.url}/balance`))
  assert.deepEqual(counts, [{ count: 1 }, { count: 2 }, { count: 2 }])
  assert.equal(await player.get(`${player.url}/other`), undefined)
  const unknown = await fetch(`${player.url}/other`, { method: 'POST', body: 'hello' })
  assert.deepEqual(
    [unknown.status, (await unknown.json()).error.message],
    [404, 'POST /other was never recorded'],
  )
  assert.deepEqual(
    player.asked().map(({ method, path, body }) => `${method} ${path} ${body}`.trim()),
    ['GET /balance', 'GET /balance', 'GET /balance', 'GET /other', 'POST /other hello'],
  )
  assert.equal(player.asked()[0]?.headers.authorization, 'Bearer test-key')
})
