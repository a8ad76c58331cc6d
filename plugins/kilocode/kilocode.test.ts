import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAccount } from '../../test/support/ask-account.ts'
import { providersOf } from '../../test/support/preset-facts.ts'
import { corpusMissing, readCorpus } from '../../test/support/wire-corpus.ts'
import kilocode from './index.ts'
import { readBalance } from './wallet.ts'

test('SET-1 kilocode is one preset of the openai protocol', () => {
  assert.deepEqual(providersOf('kilocode'), [
    {
      flavor: 'openai',
      presets: [
        {
          name: 'kilocode',
          apiBase: 'https://api.kilo.ai/api/gateway',
          defaultModel: 'kilo-auto/free',
          requiresKey: true,
          keyEnv: ['KILOCODE_API_KEY'],
        },
      ],
    },
  ])
})

test('WAL-2 the balance is balance, else available, and nothing else', () => {
  assert.equal(readBalance({ balance: 1.5, available: 9 }), 1.5)
  assert.equal(readBalance({ balance: null, available: 9 }), 9)
  assert.equal(readBalance({ balance: 0 }), 0)
  for (const answer of [{}, { balance: '3' }, [], null, undefined, 'x', { balance: Number.NaN }]) {
    assert.equal(readBalance(answer), undefined)
  }
})

test('WAL-1 the wallet asks Kilo’s own address, whatever the API base', async () => {
  const { value, asked } = await askAccount(kilocode, ['wallets', 'kilocode'], { balance: 4 })
  assert.equal(value, 4)
  assert.deepEqual(asked, ['https://api.kilo.ai/api/profile/balance'])
})

test('WAL-2 the recorded balance of kilocode is read', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const [fixture] = readCorpus('account').filter(({ name }) => name === 'kilocode-balance')
  assert.ok(fixture)
  assert.equal(readBalance(JSON.parse(fixture.body.toString('utf8'))), fixture.expected.balance)
})
