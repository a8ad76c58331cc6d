import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAccount } from '../../test/support/ask-account.ts'
import { corpusMissing, readCorpus } from '../../test/support/wire-corpus.ts'
import openrouter from './index.ts'
import { accountBalance, readKey } from './wallet.ts'

const keyBalance = (answer: unknown) => readKey(answer).balance

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

const PATH = ['wallets', 'openrouter']
const UNCAPPED = { limit: null, limit_remaining: null, usage: 3 }

test('WAL-1 the wallet asks for the key at the provider’s own address', async () => {
  const { value, asked } = await askAccount(openrouter, PATH, { data: { limit_remaining: 3 } })
  assert.equal(value, 3)
  assert.deepEqual(asked, ['https://elsewhere.test/v1/key'])
})

test('WAL-2 a management key, which has no limit, tells the account’s balance; any other key asks for no more', async () => {
  const answers = (data: unknown) => (url: string) =>
    url.endsWith('/credits') ? { data: { total_credits: 10, total_usage: 2.5 } } : { data }
  const managing = await askAccount(openrouter, PATH, answers({ ...UNCAPPED, is_management_key: true }))
  assert.equal(managing.value, 7.5)
  assert.deepEqual(managing.asked, ['https://elsewhere.test/v1/key', 'https://elsewhere.test/v1/credits'])
  const plain = await askAccount(openrouter, PATH, answers(UNCAPPED))
  assert.equal(plain.value, undefined)
  assert.equal(plain.asked.length, 1)
})

test('WAL-2 the recorded credits give their balance, and nonsense none', (t) => {
  for (const answer of [
    {},
    null,
    'x',
    { data: { total_credits: '5', total_usage: 1 } },
    { data: { total_credits: 5 } },
  ]) {
    assert.equal(accountBalance(answer), undefined)
  }
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const [fixture] = readCorpus('account').filter(({ name }) => name === 'openrouter-credits')
  assert.equal(accountBalance(JSON.parse(String(fixture?.body))), fixture?.expected.balance)
})
