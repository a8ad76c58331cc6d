import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closestWindow, moneyText, readAccount } from '../../host/llm/account-readout.ts'
import type { AllowanceWindow, Money } from '../../sdk/index.ts'

const balances = (...all: readonly Money[]) => readAccount('acme', { balances: all, allowance: undefined })
const windows = (...all: readonly AllowanceWindow[]) =>
  readAccount('acme', { balances: undefined, allowance: { windows: all } })

test('WAL-3 the balance is shown when there is one, whatever the windows', () => {
  const allowance = { windows: [{ label: '5h', percentUsed: 99 }] }
  const { text, shows } = readAccount('acme', { balances: [{ amount: 3, currency: 'USD' }], allowance })
  assert.deepEqual([text, shows], ['$3.00', 'balance'])
})

test('WAL-3 an allowance’s own credits are a balance', () => {
  const allowance = { windows: [{ label: '5h', percentUsed: 25 }], creditsBalance: 8.5, currency: 'USD' }
  assert.equal(readAccount('acme', { balances: undefined, allowance }).text, '$8.50')
})

test('WAL-3 without a balance the window closest to interrupting work is shown', () => {
  const { text, shows, tone } = windows({ label: '7d', percentUsed: 8 }, { label: '5h', percentUsed: 12.4 })
  assert.deepEqual([text, shows, tone], ['5h 12%', 'window', 'dim'])
  assert.equal(windows({ label: '5h', percentUsed: 80 }).tone, 'warn')
  assert.equal(windows({ label: '5h', percentUsed: 95 }).tone, 'crit')
})

test('WAL-3 ties go to the shortest label, then to the shorter window; unknown percentages never win', () => {
  const closest = (...labels: readonly string[]) =>
    closestWindow(labels.map((label) => ({ label, percentUsed: 50 })))?.label
  assert.equal(closest('monthly', '24h', '7d'), '7d')
  assert.equal(closest('monthly', '7d', '5h'), '5h')
  assert.equal(closest('24h', '12h'), '12h')
  assert.equal(closestWindow([{ label: 'a' }, { label: 'monthly', percentUsed: 0 }])?.label, 'monthly')
  assert.equal(windows({ label: 'monthly', remaining: 5 }).text, '-')
})

test('WAL-4 several currencies are never added: the one with money is shown, dollars first', () => {
  const cny = { amount: 100, currency: 'CNY' }
  assert.equal(balances(cny, { amount: 20, currency: 'USD' }).text, '$20.00')
  assert.equal(balances(cny, { amount: 0, currency: 'USD' }).text, '¥100.00')
  assert.equal(balances({ amount: 0, currency: 'CNY' }, { amount: 0, currency: 'USD' }).text, '$0.00')
})

test('WAL-2 an account that buys nothing is crit, and unknown is a dash', () => {
  assert.equal(balances({ amount: 5, currency: 'USD', available: false }).tone, 'crit')
  assert.equal(balances({ amount: 0, currency: 'USD' }).tone, 'crit')
  assert.equal(balances({ amount: 5, currency: 'USD' }).tone, 'dim')
  assert.equal(readAccount('acme', undefined).text, '-')
  assert.equal(balances().text, '-')
})

test('WAL-2 an amount is never told as a zero that it is not', () => {
  assert.equal(moneyText({ amount: 12.345678, currency: 'USD' }), '$12.35')
  assert.equal(moneyText({ amount: 0.004, currency: 'USD' }), '<$0.01')
  assert.equal(moneyText({ amount: 0, currency: 'USD' }), '$0.00')
  assert.equal(moneyText({ amount: -1.2, currency: 'USD' }), '-$1.20')
  assert.equal(moneyText({ amount: 3, currency: 'XYZ' }), '3.00 XYZ')
})
