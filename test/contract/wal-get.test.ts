import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemClock } from '../../host/base/clock.ts'
import { askAccount, findAccount } from '../../host/llm/account.ts'
import { createAccountContext } from '../../host/llm/account-context.ts'
import { cancelledError } from '../../host/llm/network-error.ts'
import { createTransport, type Transport } from '../../host/llm/transport.ts'
import { accountSnapshot } from '../support/account-fixture.ts'
import { type Answer, type ModelServer, sendJson, startModelServer } from '../support/model-server.ts'

const transport = createTransport({ clock: systemClock, env: {} })
const open: (() => Promise<void>)[] = [() => transport.close()]
after(async () => {
  for (const close of open) await close()
})

async function serve(answer: Answer): Promise<ModelServer> {
  const server = await startModelServer(answer)
  open.push(() => server.close())
  return server
}

const signal = new AbortController().signal
const context = (apiBase: string, options: { presetBase?: string; signal?: AbortSignal } = {}) =>
  createAccountContext({ provider: 'acme', apiBase, apiKey: 'secret-key' }, { transport, signal, ...options })

test('WAL-1 get is one GET with the key, and gives the JSON of a 2xx', async () => {
  const server = await serve((response) => sendJson(response, 201, { balance: 4 }))
  assert.deepEqual(await context(server.origin).get(`${server.origin}/balance`), { balance: 4 })
  assert.equal(server.seen.length, 1)
  assert.equal(server.seen[0]?.method, 'GET')
  assert.equal(server.seen[0]?.path, '/balance')
  assert.equal(server.seen[0]?.headers.authorization, 'Bearer secret-key')
})

test('WAL-1 anything but a 2xx with JSON is undefined, at once and without a second try', async () => {
  const answers: readonly Answer[] = [
    (response) => sendJson(response, 500, { balance: 4 }),
    (response) => sendJson(response, 429, {}, { 'retry-after': '1' }),
    (response) => sendJson(response, 401, {}),
    (response) => sendJson(response, 200, '<html>'),
    (response) => response.destroy(),
  ]
  for (const answer of answers) {
    const server = await serve(answer)
    const asked = context(server.origin)
    assert.equal(await asked.get(`${server.origin}/balance`), undefined)
    assert.equal(asked.failed(), true)
    assert.equal(server.seen.length, 1)
  }
})

test('WAL-1 PRO-13 a redirect is not followed, and carries no key anywhere', async () => {
  const elsewhere = await serve((response) => sendJson(response, 200, { balance: 9 }))
  const server = await serve((response) => {
    response.writeHead(302, { location: `${elsewhere.origin}/balance` })
    response.end()
  })
  assert.equal(await context(server.origin).get(`${server.origin}/balance`), undefined)
  assert.equal(elsewhere.seen.length, 0)
})

test('PRO-13 the key goes over https or to this machine only, and nowhere for what is no address', async () => {
  let sent = 0
  const counting: Transport = {
    async send() {
      sent++
      return { kind: 'failed', error: cancelledError() }
    },
    close: async () => {},
  }
  const asked = createAccountContext(
    { provider: 'acme', apiBase: 'https://acme.test', apiKey: 'secret-key' },
    { transport: counting, signal },
  )
  for (const url of ['http://acme.test/x', 'ftp://127.0.0.1/x', 'file:///etc/passwd', 'no address', '']) {
    assert.equal(await asked.get(url), undefined)
  }
  assert.equal(sent, 0)
})

test('PRO-13 a key for the user’s own API base never reaches the vendor’s account address', async () => {
  const vendor = await serve((response) => sendJson(response, 200, { balance: 9 }))
  const own = await serve((response) => sendJson(response, 200, { balance: 1 }))
  const options = { presetBase: vendor.origin }
  assert.equal(await context(own.origin, options).get(`${vendor.origin}/balance`), undefined)
  assert.equal(vendor.seen.length, 0)
  assert.deepEqual(await context(`${own.origin}/v1`, options).get(`${own.origin}/key`), { balance: 1 })
  assert.deepEqual(await context(`${vendor.origin}/v1`, options).get(`${own.origin}/key`), { balance: 1 })
})

test('WAL-5 a server that never answers ends with the signal', async () => {
  const server = await serve(() => controller.abort())
  const controller = new AbortController()
  const asked = context(server.origin, { signal: controller.signal })
  assert.equal(await asked.get(`${server.origin}/balance`), undefined)
})

test('WAL-1 an account is found by the provider that a manifest names, never by a plugin’s id', async () => {
  const snapshot = accountSnapshot({
    wallets: { acme: async () => [{ amount: 1, currency: 'EUR' }] },
    allowances: { acme: async () => ({ windows: [] }) },
  })
  assert.equal(findAccount('other', snapshot), undefined)
  const source = findAccount('acme', snapshot)
  assert.ok(source)
  const endpoint = { provider: 'acme', apiBase: 'https://acme.test', apiKey: 'k' }
  assert.deepEqual(await askAccount(source, endpoint, { transport, signal }), {
    kind: 'account',
    account: { balances: [{ amount: 1, currency: 'EUR' }], allowance: { windows: [] } },
  })
})
