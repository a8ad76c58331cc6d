import assert from 'node:assert/strict'
import test from 'node:test'
import type { Consumed } from '../../host/llm/response.ts'
import type { HttpRequest, Transport } from '../../host/llm/transport.ts'
import { createWireTap, type WireEvent } from '../../host/llm/wire-tap.ts'

const KEY = 'key-of-the-user-1234'

/** A transport that answers two chunks, the second of which quotes the key. */
function echoing(): Transport {
  return {
    close: async () => {},
    send: async () => ({
      kind: 'response',
      response: {
        status: 200,
        header: () => undefined,
        discard: () => {},
        text: async () => ({ kind: 'text', text: KEY }),
        async pump(consume: (chunk: Uint8Array) => Consumed) {
          for (const text of ['data: grüße\n\n', `data: ${KEY}\n\n`]) consume(new TextEncoder().encode(text))
          return undefined
        },
      },
    }),
  }
}

const request: HttpRequest = {
  method: 'POST',
  url: `https://api.test/v1?key=${KEY}`,
  headers: { authorization: `Bearer ${KEY}` },
  body: `{"secret":"${KEY}"}`,
  signal: new AbortController().signal,
}

test('PRO-13 who listens to the wire hears all of it in order, and no key', async () => {
  const tap = createWireTap(echoing(), () => [KEY])
  const heard: WireEvent[] = []
  const stop = tap.on((event) => heard.push(event))
  const answer = await tap.transport.send(request)
  const read: string[] = []
  if (answer.kind === 'response') {
    await answer.response.pump((chunk) => {
      read.push(new TextDecoder().decode(chunk))
      return 'progress'
    })
  }
  assert.deepEqual(
    heard.map((one) => one.kind),
    ['request', 'response', 'chunk', 'chunk', 'end'],
  )
  assert.doesNotMatch(JSON.stringify(heard), new RegExp(KEY))
  assert.ok(heard.some((one) => one.kind === 'chunk' && one.text === 'data: grüße\n\n'))
  assert.match(read.join(''), new RegExp(KEY), 'the reader gets what was sent')
  stop()
  await tap.transport.send(request)
  assert.equal(heard.length, 5)
})
