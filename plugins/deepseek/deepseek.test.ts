import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAccount } from '../../test/support/ask-account.ts'
import { providersOf } from '../../test/support/preset-facts.ts'
import { corpusMissing, readCorpus } from '../../test/support/wire-corpus.ts'
import deepseek from './index.ts'
import { readBalances } from './wallet.ts'

test('SET-1 deepseek is one preset of the openai protocol', () => {
  assert.deepEqual(providersOf('deepseek'), [
    {
      flavor: 'openai',
      presets: [
        {
          name: 'deepseek',
          apiBase: 'https://api.deepseek.com',
          defaultModel: 'deepseek-chat',
          requiresKey: true,
          keyEnv: ['DEEPSEEK_API_KEY'],
        },
      ],
    },
  ])
})

test('WAL-4 each currency has its own balance, a text or a number', () => {
  const answer = {
    is_available: true,
    balance_infos: [
      { currency: 'CNY', total_balance: '100.50' },
      { currency: 'USD', total_balance: 20 },
    ],
  }
  assert.deepEqual(readBalances(answer), [
    { amount: 100.5, currency: 'CNY' },
    { amount: 20, currency: 'USD' },
  ])
})

test('WAL-2 an account that is not available says so with its amount', () => {
  const answer = { is_available: false, balance_infos: [{ currency: 'USD', total_balance: '0.00' }] }
  assert.deepEqual(readBalances(answer), [{ amount: 0, currency: 'USD', available: false }])
})

test('WAL-2 nonsense, or one balance that cannot be read, is no balance', () => {
  const infos = (...balance_infos: readonly unknown[]) => ({ balance_infos })
  for (const answer of [
    {},
    null,
    undefined,
    'x',
    { balance_infos: {} },
    infos(),
    infos({ currency: 'USD', total_balance: 'much' }),
    infos({ currency: 'USD', total_balance: '' }),
    infos({ total_balance: '1' }),
    infos({ currency: 'USD', total_balance: '1' }, { currency: 'CNY', total_balance: null }),
  ]) {
    assert.equal(readBalances(answer), undefined, JSON.stringify(answer))
  }
})

test('WAL-1 the wallet asks DeepSeek’s own address', async () => {
  const { asked } = await askAccount(deepseek, ['wallets', 'deepseek'], {})
  assert.deepEqual(asked, ['https://api.deepseek.com/user/balance'])
})

test('WAL-2 the recorded balances of deepseek are read', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const fixtures = readCorpus('account').filter(({ name }) => name.startsWith('deepseek-balance'))
  assert.equal(fixtures.length, 2)
  for (const { name, body, expected } of fixtures) {
    const balances = readBalances(JSON.parse(body.toString('utf8')))
    const shown = balances?.find(({ currency }) => currency === expected.currency)
    assert.equal(shown?.amount, expected.total, name)
    assert.equal(shown?.available ?? true, expected.available, name)
  }
})
