import assert from 'node:assert/strict'
import { anthropicDialect } from '../../plugins/anthropic/dialect.ts'
import type { Completion } from '../../sdk/index.ts'
import { checkCompletion, classified } from '../support/dialect-wire.ts'
import { testRecorded } from '../support/recorded.ts'
import type { WireFixture } from '../support/wire-corpus.ts'

testRecorded({
  name: 'Anthropic',
  folder: 'anthropic',
  dialect: anthropicDialect,
  check,
  terminal: /event: message_delta/,
})

function check(fixture: WireFixture, completion: Completion): void {
  checkCompletion(fixture, completion)
  const { streamError } = fixture.expected
  if (streamError === undefined) assert.equal(completion.status, 'complete', fixture.name)
  else if (typeof streamError === 'object' && streamError !== null && 'type' in streamError) {
    assert.equal(completion.status, 'error', fixture.name)
    const { error } = classified(anthropicDialect, completion)
    assert.equal(error.kind, 'overloaded', fixture.name)
    assert.equal(error.retryable, true, fixture.name)
  } else assert.equal(completion.status, 'incomplete', fixture.name)
  checkReplay(fixture, completion)
}

/** Every signature and every redacted block is kept, in order, for the model that wrote it. */
function checkReplay({ expected, name }: WireFixture, { message }: Completion): void {
  const replay = JSON.stringify(message.replay ?? {})
  for (const kept of [expected.signatures, expected.redacted]) {
    assert.ok(Array.isArray(kept))
    for (const text of kept) assert.ok(replay.includes(JSON.stringify(text)), name)
  }
}
