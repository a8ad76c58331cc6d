import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { callTool } from '../../host/agent/call-tool.ts'
import type { Approver } from '../../host/agent/turn.ts'
import { createAgentFixture } from '../support/agent-fixture.ts'
import { startUserPlugins, testHost } from '../support/host.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { plainTool, pluginFolder } from '../support/plugin-folder.ts'

const ANY = { parameters: { type: 'object' } }

/** A host with one plugin, whose tool `greeter` and events are as written. */
async function hostOf(t: TestContext, entry: string, declared: Readonly<Record<string, unknown>> = {}) {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'p_x')
  const tools = [{ ...plainTool('greeter'), ...ANY, ...declared }]
  plugin.manifest({ entry: './index.js', activation: 'startup', capabilities: { tools } })
  plugin.write(
    'index.js',
    `import { definePlugin } from 'amber-agent/sdk'\nexport default definePlugin(() => (${entry}))\n`,
  )
  await startUserPlugins(host)
  return host
}

/** One turn in which the model calls `greeter` with these arguments. */
async function turnOf(host: Awaited<ReturnType<typeof hostOf>>, args: unknown, approver?: Approver) {
  const fixture = createAgentFixture({
    steps: [{ calls: [['greeter', args]] }, { text: 'done' }],
    snapshot: host.ledger.snapshot(),
    settings: approver === undefined ? {} : { approver },
    deps: { bus: host.bus },
  })
  const result = await fixture.turn()
  JSON.stringify(result)
  return { result, call: result.toolCalls[0], completed: fixture.sink.completed[0] }
}

for (const change of [
  'a.self = a',
  'a.b = 10n',
  "Object.defineProperty(a, 'g', { get() { throw new Error('g') }, enumerable: true })",
  'a.lie = 1',
]) {
  test(`TOOL-4 what runs with arguments cannot change what was validated: ${change}`, async (t) => {
    const host = await hostOf(
      t,
      `{ tools: { greeter: { summarize: (a) => { ${change}; return 's' }, execute: (a) => { ${change}; return { ok: true, output: 'x' } } } } }`,
    )
    const { result, call } = await turnOf(host, { n: 5 })
    assert.equal(result.text, 'done')
    assert.deepEqual([call?.ok, call?.arguments], [true, { n: 5 }])
  })
}

test('TOOL-6 what approval saw is what runs: a judge that changes its arguments changes its own copy', async (t) => {
  const host = await hostOf(
    t,
    `{ tools: { greeter: { requiresApproval: (a) => { a.a.n = 99; return true }, approvalScope: (a) => { a.a.n = 98; return undefined },
       execute: (a) => ({ ok: true, output: String(a.a.n) }) } } }`,
    { approval: 'dynamic' },
  )
  const asked: unknown[] = []
  const { call, completed } = await turnOf(host, { a: { n: 5 } }, async (request) => {
    asked.push(request.arguments)
    return 'once'
  })
  assert.deepEqual(asked, [{ a: { n: 5 } }])
  assert.deepEqual(call?.arguments, { a: { n: 5 } })
  assert.equal(completed?.output, '5')
})

test('TOOL-6 an approval scope whose getter throws covers these arguments and nothing else', async (t) => {
  const host = await hostOf(
    t,
    `{ tools: { greeter: { execute: () => ({ ok: true }), requiresApproval: () => true,
       approvalScope: () => ({ get scopes() { throw new Error('sg') } }) } } }`,
    { approval: 'dynamic' },
  )
  const scopes: (readonly string[])[] = []
  await turnOf(host, { n: 1 }, async (request) => {
    scopes.push(request.scopes)
    return 'once'
  })
  assert.deepEqual(scopes, [['{"n":1}']])
})

for (const [what, args] of Object.entries({
  circular: '(() => { const c = {}; c.c = c; return c })()',
  BigInt: '{ b: 10n }',
  'a function': '{ f() {} }',
  'a throwing getter': "{ get g() { throw new Error('g') } }",
})) {
  test(`EVT-3 TOOL-4 an interceptor that answers ${what} as arguments is an error result that names it`, async (t) => {
    const host = await hostOf(
      t,
      `{ tools: { greeter: { execute: () => ({ ok: true }) } }, events: { 'tool.requested': () => ({ arguments: ${args} }) } }`,
    )
    const { result, call, completed } = await turnOf(host, { n: 5 })
    assert.equal(result.text, 'done')
    assert.deepEqual([call?.ok, call?.arguments], [false, { n: 5 }])
    assert.match(completed?.output ?? '', /Plugin p_x .*no plain data/)
  })
}

test('EVT-2 an interceptor changes a call by its answer only, not in place and not afterwards', async (t) => {
  const host = await hostOf(
    t,
    `{ tools: { greeter: { execute: (a) => ({ ok: true, output: JSON.stringify(a) }) } },
       events: { 'tool.requested': (event) => { event.arguments.lie = 1; event.arguments = { lie: 2 }; const mine = { n: 6 }; setImmediate(() => { mine.n = 7 }); return { arguments: mine } } } }`,
  )
  const { call, completed } = await turnOf(host, { n: 5 })
  assert.deepEqual(call?.arguments, { n: 6 })
  assert.equal(completed?.output, '{"n":6}')
})

for (const [what, result] of Object.entries({
  'a getter that throws': "{ get ok() { throw new Error('okg') } }",
  'a getter that changes its mind':
    "(() => { let n = 0; return { get ok() { return n++ ? 'yes' : 'no' } } })()",
  'a proxy that throws':
    "new Proxy({}, { get(_, k) { if (k === 'then') return undefined; throw new Error('px') }, has() { throw new Error('px') } })",
  'an error whose message throws':
    "(() => { throw Object.defineProperty(new Error(), 'message', { get() { throw new Error('mm') } }) })()",
  'meta with a circle': '(() => { const m = {}; m.m = m; return { ok: true, meta: m } })()',
  'meta with a BigInt': '{ ok: true, meta: { b: 1n } }',
  'meta with a getter that throws': "{ ok: true, meta: { get g() { throw new Error('g') } } }",
  'a declination with no words': "{ amber: 'declined', get why() { throw new Error('why') } }",
})) {
  test(`TOOL-3 a result that is ${what} is an error result that names tool and plugin`, async (t) => {
    const host = await hostOf(t, `{ tools: { greeter: { execute: () => (${result}) } } }`)
    const { result: turn, call, completed } = await turnOf(host, {})
    assert.equal(turn.text, 'done')
    assert.equal(call?.ok, false)
    assert.match(completed?.output ?? '', /greeter of plugin p_x/)
  })
}

test('TOOL-3 a getter of a result is read once', async (t) => {
  const host = await hostOf(
    t,
    "{ tools: { greeter: { execute: () => { let n = 0; return { get ok() { return n++ ? 'yes' : true }, output: 'x' } } } } }",
  )
  const { call } = await turnOf(host, {})
  assert.equal(call?.ok, true)
})

test('TOOL-4 arguments from outside that are no plain data are an error result', async (t) => {
  const host = await hostOf(t, '{ tools: { greeter: { execute: () => ({ ok: true }) } } }')
  const deps = {
    snapshot: () => host.ledger.snapshot(),
    bus: host.bus,
    clock: createManualClock(),
    mode: () => 'write' as const,
    onAbandoned: () => {},
  }
  const answer = await callTool(deps, { name: 'greeter', args: { b: 1n } })
  assert.equal(answer.ok, false)
  assert.match(answer.error ?? '', /no plain data/)
})
