import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STALE_MS } from '../../host/llm/account-cache.ts'
import { LEAST_INTERVAL_MS } from '../../host/llm/accounts.ts'
import type { AccountContext, Money } from '../../sdk/index.ts'
import { accountFixture } from '../support/account-fixture.ts'

const ENDPOINT = { provider: 'acme', apiBase: 'https://acme.test/v1', apiKey: 'key' }
const dollars = (amount: number): readonly Money[] => [{ amount, currency: 'USD' }]

/** Everything that is ready has run. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A fetch whose calls are answered by hand. */
function heldFetch() {
  const calls: {
    readonly context: AccountContext
    readonly answer: (value: readonly Money[] | undefined) => void
  }[] = []
  return {
    calls,
    fetch: (context: AccountContext) =>
      new Promise<readonly Money[] | undefined>((answer) => calls.push({ context, answer })),
  }
}

test('WAL-1 the fetch is asked at the start, and again at the end of a turn, never sooner than 10 s', async (t) => {
  let asked = 0
  const fixture = accountFixture(t, { wallets: { acme: async () => dollars(++asked) } })
  assert.equal(fixture.accounts.readout(), undefined)
  fixture.accounts.use(ENDPOINT)
  assert.equal(fixture.text(), '-')
  await fixture.until(() => fixture.text() === '$1.00')

  fixture.clock.advance(LEAST_INTERVAL_MS - 1)
  fixture.accounts.turnEnded()
  fixture.accounts.turnEnded()
  assert.equal(asked, 1)
  fixture.clock.advance(1)
  await fixture.until(() => fixture.text() === '$2.00')

  fixture.clock.advance(10 * LEAST_INTERVAL_MS)
  assert.equal(asked, 2)
  assert.equal(fixture.clock.pending(), 0)
  fixture.accounts.turnEnded()
  await fixture.until(() => fixture.text() === '$3.00')
})

test('WAL-1 one fetch is in flight; boundaries meanwhile make one more, once its time has come', async (t) => {
  const { calls, fetch } = heldFetch()
  const fixture = accountFixture(t, { wallets: { acme: fetch } })
  fixture.accounts.use(ENDPOINT)
  fixture.clock.advance(LEAST_INTERVAL_MS)
  fixture.accounts.turnEnded()
  fixture.accounts.turnEnded()
  assert.equal(calls.length, 1)
  calls[0]?.answer(dollars(1))
  await fixture.until(() => fixture.text() === '$1.00')
  await turn()
  assert.equal(calls.length, 2)
  calls[1]?.answer(dollars(2))
  await fixture.until(() => fixture.text() === '$2.00')
  assert.equal(calls.length, 2)
})

test('WAL-3 after a switch the other provider is asked, and a late answer of the first is dropped', async (t) => {
  const slow = heldFetch()
  const fixture = accountFixture(t, { wallets: { acme: slow.fetch, other: async () => dollars(7) } })
  fixture.accounts.use(ENDPOINT)
  fixture.accounts.use({ ...ENDPOINT, provider: 'other' })
  await fixture.until(() => fixture.text() === '$7.00')
  assert.equal(slow.calls[0]?.context.signal.aborted, true)
  slow.calls[0]?.answer(dollars(99))
  await turn()
  assert.equal(fixture.text(), '$7.00')
  assert.equal(fixture.accounts.readout()?.provider, 'other')
})

test('WAL-6 a provider without an account API shows a dash, and nothing is asked', async (t) => {
  const { calls, fetch } = heldFetch()
  const fixture = accountFixture(t, { wallets: { other: fetch } })
  fixture.accounts.use(ENDPOINT)
  fixture.accounts.turnEnded()
  assert.equal(fixture.text(), '-')
  assert.equal(calls.length, 0)
})

test('PRO-13 without a key nothing is asked', (t) => {
  const { calls, fetch } = heldFetch()
  const fixture = accountFixture(t, { wallets: { acme: fetch } })
  fixture.accounts.use({ ...ENDPOINT, apiKey: ' ' })
  assert.equal(calls.length, 0)
  assert.equal(fixture.text(), '-')
})

test('WAL-5 a fetch that throws leaves the value until it is stale, then it is a dash', async (t) => {
  let asked = 0
  const fixture = accountFixture(t, {
    wallets: {
      acme: async () => {
        asked++
        if (asked > 1) throw new Error('no')
        return dollars(5)
      },
    },
  })
  fixture.accounts.use(ENDPOINT)
  await fixture.until(() => fixture.text() === '$5.00')
  fixture.clock.advance(LEAST_INTERVAL_MS)
  fixture.accounts.turnEnded()
  await fixture.until(() => fixture.clock.pending() === 1)
  assert.equal(fixture.text(), '$5.00')
  fixture.clock.advance(STALE_MS - LEAST_INTERVAL_MS - 1)
  assert.equal(fixture.text(), '$5.00')
  const becameDash = fixture.until(() => fixture.text() === '-')
  fixture.clock.advance(1)
  await becameDash
})

test('WAL-5 a request that fails says nothing about the account; an answer of undefined does', async (t) => {
  let answer: unknown = 5
  const fixture = accountFixture(t, {
    wallets: {
      acme: async ({ get }) => {
        if (answer === 'unreachable') await get('http://not-loopback.test/balance')
        return typeof answer === 'number' ? dollars(answer) : undefined
      },
    },
  })
  fixture.accounts.use(ENDPOINT)
  await fixture.until(() => fixture.text() === '$5.00')
  const next = async (value: unknown) => {
    answer = value
    fixture.clock.advance(LEAST_INTERVAL_MS)
    let looks = 0
    // The first look is at once, the second at the change.
    const changed = fixture.until(() => ++looks === 2)
    fixture.accounts.turnEnded()
    await changed
  }
  await next('unreachable')
  assert.equal(fixture.text(), '$5.00')
  await next(undefined)
  assert.equal(fixture.text(), '-')
})

test('WAL-1 after disposal nothing is asked and no timer is left', async (t) => {
  const { calls, fetch } = heldFetch()
  const fixture = accountFixture(t, { wallets: { acme: fetch } })
  fixture.accounts.use(ENDPOINT)
  fixture.accounts.dispose()
  fixture.accounts.turnEnded()
  assert.equal(calls.length, 1)
  assert.equal(calls[0]?.context.signal.aborted, true)
  assert.equal(fixture.clock.pending(), 0)
})
