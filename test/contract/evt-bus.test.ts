import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventBus, type HandlerFault } from '../../host/base/event-bus.ts'
import { createManualClock } from '../support/manual-clock.ts'

function makeBus() {
  const clock = createManualClock()
  const faults: HandlerFault[] = []
  return { clock, faults, bus: createEventBus({ clock, onFault: (fault) => faults.push(fault) }) }
}

const requested = (args: unknown) => ({ id: '1', name: 'read', plugin: 'tool_read', arguments: args })
const loaded = { plugin: 'hello', generation: 1 }

test('EVT-1 a subscription ends with its dispose, and disposing twice does nothing', () => {
  const { bus } = makeBus()
  const seen: string[] = []
  const one = bus.subscribe('a', 'plugin.loaded', () => seen.push('a'))
  bus.subscribe('b', 'plugin.loaded', () => seen.push('b'))
  one.dispose()
  one.dispose()
  bus.publish('plugin.loaded', loaded)
  assert.deepEqual(seen, ['b'])
})

test('EVT-1 removing an owner removes all its handlers and nobody else’s, even in the middle of a publish', () => {
  const { bus } = makeBus()
  const seen: string[] = []
  bus.subscribe('a', 'plugin.loaded', () => bus.removeOwner('b'))
  bus.subscribe('b', 'plugin.loaded', () => seen.push('b'))
  bus.subscribe('b', 'turn.ended', () => seen.push('b'))
  bus.publish('plugin.loaded', loaded)
  assert.deepEqual(seen, [])
  assert.equal(bus.count('turn.ended'), 0)
  assert.equal(bus.count('plugin.loaded', 'a'), 1)
})

test('EVT-1 a staged subscription is silent until it is activated, and keeps its place', () => {
  const { bus } = makeBus()
  const seen: string[] = []
  const staged = bus.subscribe('a', 'plugin.loaded', () => seen.push('a'), { staged: true })
  bus.subscribe('b', 'plugin.loaded', () => seen.push('b'))
  bus.publish('plugin.loaded', loaded)
  staged.activate()
  staged.activate()
  bus.publish('plugin.loaded', loaded)
  assert.deepEqual(seen, ['b', 'a', 'b'])
})

test('EVT-1 a staged subscription that was disposed of cannot be activated', () => {
  const { bus } = makeBus()
  const staged = bus.subscribe('a', 'plugin.loaded', () => assert.fail('called'), { staged: true })
  staged.dispose()
  staged.activate()
  bus.publish('plugin.loaded', loaded)
  assert.equal(bus.has('plugin.loaded'), false)
})

test('EVT-2 and row L20: each interceptor sees what the one before it changed', async () => {
  const { bus } = makeBus()
  bus.subscribe('a', 'tool.requested', () => ({ arguments: { path: 'a' } }))
  bus.subscribe('b', 'tool.requested', (event) => ({
    arguments: { ...Object(event.arguments), limit: 5 },
  }))
  const answer = await bus.intercept('tool.requested', requested({}))
  assert.deepEqual(answer, { vetoed: false, event: requested({ path: 'a', limit: 5 }) })
})

test('EVT-2 an interceptor changes the prompt, sync or async', async () => {
  const { bus } = makeBus()
  bus.subscribe('a', 'turn.started', async (event) => ({ prompt: `${event.prompt}!` }))
  const answer = await bus.intercept('turn.started', { turn: 't', prompt: 'hi' })
  assert.deepEqual(answer, { vetoed: false, event: { turn: 't', prompt: 'hi!' } })
})

test('EVT-3 interceptors run before observers, who see what was let through', async () => {
  const { bus } = makeBus()
  const seen: string[] = []
  bus.subscribe('screen', 'turn.started', (event) => seen.push(event.prompt), { observe: true })
  bus.subscribe('a', 'turn.started', () => ({ prompt: 'changed' }))
  await bus.intercept('turn.started', { turn: 't', prompt: 'hi' })
  assert.deepEqual(seen, ['changed'])
})

test('EVT-3 false, cancel and cancel with a reason veto; an empty or false cancel does not', async () => {
  for (const answer of [false, { cancel: true }, { cancel: 'not today' }]) {
    const { bus } = makeBus()
    bus.subscribe('a', 'tool.requested', () => answer)
    bus.subscribe('b', 'tool.requested', () => assert.fail('ran after a veto'))
    const outcome = await bus.intercept('tool.requested', requested({}))
    assert.ok(outcome.vetoed && outcome.owner === 'a', JSON.stringify(answer))
  }
  for (const answer of [undefined, null, { cancel: false }, { cancel: '' }, {}]) {
    const { bus } = makeBus()
    bus.subscribe('a', 'tool.requested', () => answer)
    assert.equal((await bus.intercept('tool.requested', requested({}))).vetoed, false)
  }
})

test('EVT-3 a handler that throws or rejects is reported and skipped', async () => {
  const { bus, faults } = makeBus()
  const seen: string[] = []
  bus.subscribe('a', 'plugin.loaded', () => {
    throw new Error('sync')
  })
  bus.subscribe('b', 'plugin.loaded', () => Promise.reject(new Error('async')), { label: 'its handler' })
  bus.subscribe('c', 'plugin.loaded', () => seen.push('c'))
  bus.publish('plugin.loaded', loaded)
  await Promise.resolve()
  assert.deepEqual(seen, ['c'])
  assert.deepEqual(
    faults.map(({ owner, label, event }) => `${owner} ${label} ${event}`),
    ['a plugin.loaded plugin.loaded', 'b its handler plugin.loaded'],
  )
})

test('EVT-3 an interceptor that throws vetoes', async () => {
  const { bus, faults } = makeBus()
  bus.subscribe('a', 'tool.requested', () => {
    throw new Error('boom')
  })
  const outcome = await bus.intercept('tool.requested', requested({}))
  assert.ok(outcome.vetoed)
  assert.match(outcome.reason, /boom/)
  assert.equal(faults.length, 1)
})

test('EVT-3 an interceptor that misses its deadline vetoes', async () => {
  const { bus, clock, faults } = makeBus()
  bus.subscribe('a', 'tool.requested', () => new Promise(() => {}))
  const outcome = bus.intercept('tool.requested', requested({}))
  clock.advance(1_999)
  assert.equal(faults.length, 0)
  clock.advance(1)
  assert.ok((await outcome).vetoed)
  assert.equal(faults.length, 1)
  assert.equal(clock.pending(), 0)
})

test('EVT-3 an observer that never settles holds nobody up', () => {
  const { bus } = makeBus()
  const seen: string[] = []
  bus.subscribe('a', 'plugin.loaded', () => new Promise(() => {}))
  bus.subscribe('b', 'plugin.loaded', () => seen.push('b'))
  bus.publish('plugin.loaded', loaded)
  assert.deepEqual(seen, ['b'])
})

test('EVT-4 publishing with no subscriber costs nanoseconds', () => {
  const { bus } = makeBus()
  const rounds = 200_000
  const fastest = Math.min(
    ...Array.from({ length: 5 }, () => {
      const { user: before } = process.cpuUsage()
      for (let round = 0; round < rounds; round++) bus.publish('plugin.loaded', loaded)
      return (process.cpuUsage().user - before) / 1_000
    }),
  )
  const nanoseconds = (fastest / rounds) * 1e6
  assert.ok(nanoseconds < 1_000, `${nanoseconds} ns`)
})

test('EVT-1 handlers of a lower rank come first, whenever they subscribed', () => {
  const { bus } = makeBus()
  const seen: string[] = []
  bus.subscribe('b', 'plugin.loaded', () => seen.push('b'), { rank: 2 })
  bus.subscribe('a', 'plugin.loaded', () => seen.push('a'), { rank: 1 })
  bus.publish('plugin.loaded', loaded)
  assert.deepEqual(seen, ['a', 'b'])
})

test('L10 a reporter that throws is contained', async () => {
  const bus = createEventBus({
    clock: createManualClock(),
    onFault: () => {
      throw new Error('the reporter itself')
    },
  })
  bus.subscribe('a', 'plugin.loaded', () => {
    throw new Error('boom')
  })
  bus.subscribe('a', 'turn.started', () => {
    throw new Error('boom')
  })
  bus.publish('plugin.loaded', loaded)
  assert.equal((await bus.intercept('turn.started', { turn: 't', prompt: '' })).vetoed, true)
})
