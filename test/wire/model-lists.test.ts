import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anthropicDialect } from '../../plugins/anthropic/dialect.ts'
import { geminiDialect } from '../../plugins/gemini/dialect.ts'
import { corpusMissing, readCorpus } from '../support/wire-corpus.ts'

test('PRO-7 the recorded model lists of Anthropic and Google are read, with their windows', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const dialects = { 'anthropic-models': anthropicDialect, 'gemini-models': geminiDialect }
  const lists = readCorpus('account')
  for (const [name, dialect] of Object.entries(dialects)) {
    const list = lists.find((fixture) => fixture.name === name)
    assert.ok(list && Array.isArray(list.expected.models))
    assert.deepEqual(
      dialect.parseModelList(list.body.toString('utf8')),
      list.expected.models.map(({ id, contextWindow }) => ({
        id,
        ...(contextWindow === undefined ? {} : { contextWindow }),
      })),
      name,
    )
  }
})
