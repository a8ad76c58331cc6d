import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAccount } from '../../test/support/ask-account.ts'
import { providersOf } from '../../test/support/preset-facts.ts'
import { corpusMissing, readCorpus } from '../../test/support/wire-corpus.ts'
import { readUsage } from './allowance.ts'
import opencodeGo from './index.ts'

test('SET-1 opencode_go is one preset of the openai protocol', () => {
  assert.deepEqual(providersOf('opencode_go'), [
    {
      flavor: 'openai',
      presets: [
        {
          name: 'opencode_go',
          apiBase: 'https://opencode.ai/zen/go/v1',
          defaultModel: 'glm-5.2',
          requiresKey: true,
          keyEnv: ['OPENCODE_API_KEY'],
        },
      ],
    },
  ])
})

test('WAL-2 the windows are 5h, 7d and monthly; one that says no percent is left out', () => {
  const resetsAt = '2026-08-12T02:00:00.000Z'
  const usage = { rolling: { percent: 0, resetsAt }, weekly: { percent: 8 }, monthly: { percent: '35' } }
  assert.deepEqual(readUsage({ usage }), {
    windows: [
      { label: '5h', percentUsed: 0, resetsAt },
      { label: '7d', percentUsed: 8 },
    ],
  })
  assert.deepEqual(readUsage({ usage: { weekly: { percent: 8, resetsAt: 'soon' } } }), {
    windows: [{ label: '7d', percentUsed: 8 }],
  })
})

test('WAL-2 an answer without windows is no allowance', () => {
  for (const answer of [{}, { usage: {} }, { usage: { rolling: {} } }, { usage: [] }, null, undefined, 'x']) {
    assert.equal(readUsage(answer), undefined)
  }
})

test('WAL-1 the allowance asks OpenCode’s own address', async () => {
  const { asked } = await askAccount(opencodeGo, ['allowances', 'opencode_go'], {})
  assert.deepEqual(asked, ['https://opencode.ai/zen/go/v1/usage'])
})

test('WAL-2 the recorded usage of opencode_go is read, under amber’s labels', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const [fixture] = readCorpus('account').filter(({ name }) => name === 'opencode-go-usage')
  assert.ok(fixture && Array.isArray(fixture.expected.windows))
  const expected = fixture.expected.windows.map((window) => ({
    ...window,
    label: window.label === 'weekly' ? '7d' : window.label,
  }))
  assert.deepEqual(readUsage(JSON.parse(fixture.body.toString('utf8')))?.windows, expected)
})
