import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createKeyGuard } from '../../host/llm/key-guard.ts'
import type { StreamChunk } from '../../sdk/index.ts'

const KEY = 'sk-ababab"abac\\0123456789'

/** What is left of a text that comes in pieces. */
function guarded(pieces: readonly string[]): string {
  let seen = ''
  const take = (chunk: StreamChunk) => {
    assert.equal(chunk.type, 'text')
    if (chunk.type === 'text') seen += chunk.delta
  }
  const stream = createKeyGuard(KEY).stream(take)
  for (const delta of pieces) stream.take({ type: 'text', delta })
  stream.end()
  return seen
}

test('PRO-13 a key in an answer is masked wherever the stream cuts it, and nothing else is changed', () => {
  const part = fc.oneof(
    fc.constant(KEY),
    fc.nat(KEY.length).map((length) => KEY.slice(0, length)),
    fc.nat(KEY.length).map((start) => KEY.slice(start)),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.array(fc.nat(8), { maxLength: 40 }), (parts, cuts) => {
      const text = parts.join('')
      const pieces: string[] = []
      let at = 0
      for (const cut of cuts) {
        pieces.push(text.slice(at, at + cut))
        at += cut
      }
      pieces.push(text.slice(at))
      assert.equal(guarded(pieces), text.replaceAll(KEY, '[key]'))
    }),
    { numRuns: 500 },
  )
})

test('PRO-13 a message is kept as it is unless the key is in it; then calls and thoughts are masked too', () => {
  const guard = createKeyGuard(KEY)
  const plain = { role: 'assistant', text: 'sk-ab', toolCalls: [], replay: { signed: 1 } } as const
  assert.equal(guard.message(plain), plain)
  const cleaned = guard.message({
    role: 'assistant',
    text: `it is ${KEY}`,
    reasoning: `they sent ${KEY}`,
    replay: { thinking: KEY },
    toolCalls: [{ id: '1', name: 't', arguments: JSON.stringify({ key: KEY }), replay: { thought: KEY } }],
  })
  assert.ok(!JSON.stringify(cleaned).includes('0123456789'))
  assert.deepEqual(JSON.parse(cleaned.toolCalls[0]?.arguments ?? ''), { key: '[key]' })
})

test('PRO-13 what is no secret is no secret: short keys of local servers stay words', () => {
  const seen: StreamChunk[] = []
  const guard = createKeyGuard('ollama')
  guard.stream((chunk) => seen.push(chunk)).take({ type: 'text', delta: 'ollama' })
  assert.deepEqual(seen, [{ type: 'text', delta: 'ollama' }])
  const message = { role: 'assistant', text: 'ollama', toolCalls: [] } as const
  assert.equal(guard.message(message), message)
})
