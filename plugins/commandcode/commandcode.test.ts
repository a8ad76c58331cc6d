import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAccount } from '../../test/support/ask-account.ts'
import { providersOf } from '../../test/support/preset-facts.ts'
import { corpusMissing, readCorpus } from '../../test/support/wire-corpus.ts'
import { readCredits } from './allowance.ts'
import commandcode from './index.ts'
import { readSubscription } from './subscription.ts'

const PATH = ['allowances', 'commandcode']

test('SET-1 commandcode is one preset of the openai protocol', () => {
  assert.deepEqual(providersOf('commandcode'), [
    {
      flavor: 'openai',
      presets: [
        {
          name: 'commandcode',
          apiBase: 'https://api.commandcode.ai/provider/v1',
          defaultModel: 'gpt-4.1',
          requiresKey: true,
          keyEnv: ['COMMANDCODE_API_KEY'],
        },
      ],
    },
  ])
})

test('WAL-2 credits are the balance and what is left of the month', () => {
  const credits = { monthlyCredits: 2, purchasedCredits: 3, freeCredits: 0.5 }
  assert.deepEqual(readCredits({ credits }), {
    windows: [{ label: 'monthly', remaining: 5.5 }],
    creditsBalance: 5.5,
    currency: 'USD',
  })
})

test('WAL-2 a window has percent, remaining and reset; the limits may stand in the credits', () => {
  const fiveHour = { used: 1, cap: 4, resetAt: 1_780_000_000_000 }
  assert.deepEqual(readCredits({ credits: { windowLimits: { fiveHour } } }), {
    windows: [
      {
        label: '5h',
        percentUsed: 25,
        resetsAt: '2026-05-28T20:26:40.000Z',
        remaining: 3,
        entitlement: 4,
      },
    ],
  })
})

test('WAL-2 without a cap percent and remaining are unknown, and with a cap of nothing the percent', () => {
  assert.deepEqual(readCredits({ windowLimits: { weekly: { used: 1 } } })?.windows, [{ label: '7d' }])
  assert.deepEqual(readCredits({ windowLimits: { weekly: { used: 0, cap: 0 } } })?.windows, [
    { label: '7d', remaining: 0, entitlement: 0 },
  ])
})

test('WAL-2 nonsense is no allowance, and a credit that is no number no balance', () => {
  for (const answer of [
    {},
    null,
    undefined,
    'x',
    { credits: {} },
    { credits: { monthlyCredits: '5' } },
    { credits: { monthlyCredits: 5, freeCredits: 'many' } },
    { windowLimits: { fiveHour: {} } },
    { windowLimits: { fiveHour: { resetAt: 1e30 } } },
  ]) {
    assert.equal(readCredits(answer), undefined, JSON.stringify(answer))
  }
})

test('WAL-1 the allowance asks Command Code’s own addresses', async () => {
  const { asked } = await askAccount(commandcode, PATH, {})
  assert.deepEqual(asked.toSorted(), [
    'https://api.commandcode.ai/alpha/billing/credits',
    'https://api.commandcode.ai/alpha/billing/subscriptions',
  ])
})

const CREDITS = { credits: { monthlyCredits: 5 } }
const PLAN = { planId: 'team', status: 'active', currentPeriodEnd: '2026-06-06T07:28:50.000Z' }

test('WAL-2 the plan is named, and the month’s credits come anew when its period ends', async () => {
  assert.deepEqual(
    await askAccount(commandcode, PATH, { ...CREDITS, data: PLAN }).then(({ value }) => value),
    {
      plan: 'team',
      windows: [{ label: 'monthly', remaining: 5, resetsAt: '2026-06-06T07:28:50.000Z' }],
      creditsBalance: 5,
      currency: 'USD',
    },
  )
})

test('WAL-2 a plan that has ended says so, and promises nothing anew', async () => {
  const { value } = await askAccount(commandcode, PATH, { ...CREDITS, data: { ...PLAN, status: 'canceled' } })
  assert.deepEqual(value, {
    plan: 'team (canceled)',
    windows: [{ label: 'monthly', remaining: 5 }],
    creditsBalance: 5,
    currency: 'USD',
  })
})

test('WAL-5 credits are told without a plan when the plan cannot be asked, and a plan without credits is nothing', async () => {
  const { value } = await askAccount(commandcode, PATH, (url: string) => {
    if (url.endsWith('/subscriptions')) throw new Error('refused')
    return CREDITS
  })
  assert.deepEqual(value, readCredits(CREDITS))
  assert.equal((await askAccount(commandcode, PATH, { data: PLAN })).value, undefined)
  for (const answer of [{}, null, { data: {} }, { data: { planId: '' } }, { data: { planId: 5 } }]) {
    assert.equal(readSubscription(answer), undefined)
  }
  assert.deepEqual(readSubscription({ data: { planId: 'x', status: 3, currentPeriodEnd: 'soon' } }), {
    plan: 'x',
  })
})

test('WAL-2 the recorded subscription is read', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const [fixture] = readCorpus('account').filter(({ name }) => name === 'commandcode-subscription')
  const { plan, status, periodEnd } = fixture?.expected ?? {}
  assert.deepEqual(readSubscription(JSON.parse(String(fixture?.body))), { plan, status, periodEnd })
})

test('WAL-2 the recorded credits and windows of commandcode are read, under amber’s labels', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const fixtures = readCorpus('account').filter(({ expected }) => 'monthlyCredits' in expected)
  assert.equal(fixtures.length, 2)
  for (const { name, body, expected } of fixtures) {
    const read = readCredits(JSON.parse(body.toString('utf8')))
    assert.equal(read?.creditsBalance, expected.monthlyCredits, name)
    assert.ok(Array.isArray(expected.windows))
    const capped = read?.windows.filter(({ label }) => label !== 'monthly')
    assert.deepEqual(
      capped?.map(({ label, percentUsed, resetsAt }) => ({ label, percentUsed, resetsAt })),
      expected.windows.map(({ label, percentUsed, resetsAtEpochSeconds }) => ({
        label: label === 'weekly' ? '7d' : label,
        percentUsed,
        resetsAt: new Date(resetsAtEpochSeconds * 1000).toISOString(),
      })),
      name,
    )
  }
})
