import assert from 'node:assert/strict'
import { geminiDialect } from '../../plugins/gemini/dialect.ts'
import type { Completion } from '../../sdk/index.ts'
import { checkCompletion } from '../support/dialect-wire.ts'
import { testRecorded } from '../support/recorded.ts'
import type { WireFixture } from '../support/wire-corpus.ts'

testRecorded({
  name: 'Gemini',
  folder: 'gemini',
  dialect: geminiDialect,
  check,
  terminal: /"finishReason": ?"/,
})

function check(fixture: WireFixture, completion: Completion): void {
  checkCompletion(fixture, withKnownUsage(fixture, completion))
  const { blockReason, finishReason, thoughtSignatures } = fixture.expected
  const { error, status, message } = completion
  if (typeof blockReason === 'string') {
    assert.equal(status, 'error', fixture.name)
    assert.ok(error?.message.includes(blockReason), fixture.name)
    assert.equal(error?.retryable, false, fixture.name)
  } else if (finishReason === 'MALFORMED_FUNCTION_CALL') {
    assert.equal(status, 'error', fixture.name)
    assert.equal(error?.retryable, true, fixture.name)
  } else assert.equal(status, 'complete', fixture.name)
  const kept = JSON.stringify([message.replay ?? {}, message.toolCalls]).match(/"thoughtSignature"/g) ?? []
  assert.equal(kept.length, thoughtSignatures, fixture.name)
}

/** An empty `usage` in the file and none at all are the same. */
function withKnownUsage({ expected }: WireFixture, completion: Completion): Completion {
  const { usage } = expected
  const none = typeof usage === 'object' && usage !== null && Object.keys(usage).length === 0
  if (!none || completion.usage !== undefined) return completion
  return { ...completion, usage: { inputTokens: undefined, outputTokens: undefined, wire: {} } }
}
