import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callHandler, createTestPluginHost } from '../../test/support/plugin-host.ts'
import { corpusMissing, readCorpus } from '../../test/support/wire-corpus.ts'
import openrouter from './index.ts'
import { keyBalance } from './wallet.ts'

test('WAL-2 what is left of a key’s limit is its balance', () => {
  assert.equal(keyBalance({ data: { limit_remaining: 74.5, limit: 100, usage: 25.5 } }), 74.5)
  assert.equal(keyBalance({ data: { limit_remaining: 0 } }), 0)
  assert.equal(keyBalance({ data: { limit_remaining: null, limit: 10, usage: 4 } }), 6)
})

test('WAL-2 a key without a limit, and nonsense, have no balance', () => {
  for (const answer of [
    { data: { limit: null, usage: 0.65, limit_remaining: null } },
    { data: [] },
    {},
    null,
    undefined,
    'x',
    { data: { limit_remaining: '7' } },
  ]) {
    assert.equal(keyBalance(answer), undefined)
  }
})

test('WAL-2 the recorded answers give what their files say', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const keys = readCorpus('account').filter(({ name }) => name.startsWith('openrouter-key'))
  assert.equal(keys.length, 2)
  for (const { name, body, expected } of keys) {
    assert.equal(keyBalance(JSON.parse(body.toString('utf8'))) ?? null, expected.limitRemaining, name)
  }
})

test('WAL-1 the wallet asks for the key at the provider’s own address', async () => {
  const asked: string[] = []
  const fetch = await callHandler(openrouter, createTestPluginHost({ id: 'openrouter' }), [
    'wallets',
    'openrouter',
  ])
  const get = async (url: string) => {
    asked.push(url)
    return { data: { limit_remaining: 3 } }
  }
  const signal = new AbortController().signal
  assert.equal(await fetch({ apiKey: 'k', apiBase: 'https://openrouter.ai/api/v1/', signal, get }), 3)
  assert.deepEqual(asked, ['https://openrouter.ai/api/v1/key'])
})
