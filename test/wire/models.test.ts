import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseOpenAiModelList } from '../../host/llm/openai/models.ts'
import { listOf, recordOf } from '../../sdk/index.ts'
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
    // llama.cpp says what its model was made for and what this server holds (4,096 here); a request meets the second.
    const windows = models.map((model) => model.trainedContextWindow ?? model.contextWindow)
    assert.deepEqual(
      windows,
      wanted.map(({ contextWindow }) => contextWindow),
      name,
    )
  }
  t.diagnostic(`${lists.length} lists`)
})

test('PRO-7 what a server holds is the window, and what its model was made for stands beside it', () => {
  const list = {
    data: [
      { id: 'a', meta: { n_ctx: 4096, n_ctx_train: 40960 } },
      { id: 'b', meta: { n_ctx_train: 8 } },
    ],
  }
  assert.deepEqual(parseOpenAiModelList(JSON.stringify(list)), [
    { id: 'a', contextWindow: 4096, trainedContextWindow: 40960 },
    { id: 'b', trainedContextWindow: 8 },
  ])
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
