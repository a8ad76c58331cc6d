import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listOf, recordOf } from '../../host/llm/json.ts'
import { parseOpenAiModelList } from '../../host/llm/openai/models.ts'
import { corpusMissing, readCorpus } from '../support/wire-corpus.ts'

test('PRO-7 every recorded model list is read: ids in order and context windows', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const lists = readCorpus('account').filter(({ name }) => name.endsWith('-models'))
  for (const { name, body, expected } of lists) {
    const models = parseOpenAiModelList(body.toString('utf8'))
    const wanted = listOf(expected.models).map((model) => recordOf(model) ?? {})
    assert.deepEqual(
      models.map(({ id }) => id),
      wanted.map(({ id }) => id),
      name,
    )
    // llama.cpp says what the model could hold and what this server holds; the second is what a request meets.
    const windows = name.startsWith('llamacpp') ? [4096] : wanted.map(({ contextWindow }) => contextWindow)
    assert.deepEqual(
      models.map(({ contextWindow }) => contextWindow),
      windows,
      name,
    )
  }
  t.diagnostic(`${lists.length} lists`)
})

test('PRO-7 a model is named by id, model or name, once', () => {
  const list = {
    models: [{ model: 'a', context_length: 10 }, { name: 'b', n_ctx: 20 }, { id: 'a' }, {}, null],
  }
  assert.deepEqual(parseOpenAiModelList(JSON.stringify(list)), [
    { id: 'a', contextWindow: 10 },
    { id: 'b', contextWindow: 20 },
  ])
})
