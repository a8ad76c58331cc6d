import assert from 'node:assert/strict'
import { openAiDialect } from '../../host/llm/openai/dialect.ts'
import { type Completion, memberOf, recordOf } from '../../sdk/index.ts'
import { checkCompletion, classified } from '../support/dialect-wire.ts'
import { testRecorded } from '../support/recorded.ts'
import type { WireFixture } from '../support/wire-corpus.ts'

testRecorded({
  name: 'OpenAI',
  folder: 'openai',
  dialect: openAiDialect,
  check,
  terminal: /"finish_reason": ?"/,
})

function check(fixture: WireFixture, completion: Completion): void {
  checkCompletion(...figuresOf(fixture, completion))
  const { refusal = '', streamError } = fixture.expected
  assert.equal(completion.refusal ?? '', refusal, fixture.name)
  if (streamError !== undefined) {
    assert.equal(completion.status, 'error', fixture.name)
    const { error } = classified(openAiDialect, completion)
    assert.ok(error.message.includes(String(memberOf(streamError, 'message'))), error.message)
  } else if (completion.cutCalls === undefined) assert.equal(completion.status, 'complete', fixture.name)
}

/** The figures that stand on the wire: an SDK works others out of them, and leaves some out. */
function figuresOf(fixture: WireFixture, completion: Completion): readonly [WireFixture, Completion] {
  const expected = recordOf(fixture.expected.usage)
  const { usage } = completion
  if (expected === undefined || usage === undefined) return [fixture, completion]
  const { uncachedPromptTokens: _uncached, textTokens: _text, ...named } = expected
  const wire = Object.fromEntries(Object.entries(usage.wire).filter(([name]) => name in named))
  return [
    { ...fixture, expected: { ...fixture.expected, usage: named } },
    { ...completion, usage: { ...usage, wire } },
  ]
}
