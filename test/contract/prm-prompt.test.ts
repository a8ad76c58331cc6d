import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CoreBlock } from '../../host/agent/prompt.ts'
import type { InstalledPromptBlock } from '../../host/registry/contribution.ts'
import { createAgentFixture } from '../support/agent-fixture.ts'
import { handMadeBlock } from '../support/hand-made.ts'

const core = (name: string, priority: number): CoreBlock => ({
  name,
  priority,
  placement: 'system',
  render: () => name,
})

/** The messages of the first request of a turn, as `placement:text` and `role`. */
async function sent(promptBlocks: readonly InstalledPromptBlock[], coreBlocks: readonly CoreBlock[] = []) {
  const fixture = createAgentFixture({ steps: [{ text: 'ok' }], snapshot: { promptBlocks }, coreBlocks })
  await fixture.turn()
  const messages = fixture.client.requests[0]?.messages ?? []
  return {
    ...fixture,
    sent: messages.map((message) =>
      message.role === 'system' ? `${message.placement}:${message.text}` : message.role,
    ),
  }
}

test('PRM-1 each non-empty block is its own system message; the stored conversation has none', async () => {
  const fixture = await sent([handMadeBlock('a', 'A'), handMadeBlock('none', ''), handMadeBlock('b', 'B')])
  assert.deepEqual(fixture.sent, ['system:You are amber.', 'user', 'tail:A', 'tail:B'])
  assert.deepEqual(
    fixture.agent.messages().map((message) => message.role),
    ['user', 'assistant'],
  )
})

test('PRM-2 order is (priority, registration), core blocks at 100, 200 and 300 among them', async () => {
  const system = (name: string, priority: number) =>
    handMadeBlock(name, name, { priority, placement: 'system' })
  const fixture = await sent(
    [
      system('first', 50),
      system('beside', 100),
      system('between', 250),
      system('late 1', 400),
      system('late 2', 400),
    ],
    [core('core100', 100), core('core200', 200), core('core300', 300)],
  )
  assert.deepEqual(fixture.sent, [
    'system:You are amber.',
    'system:first',
    'system:core100',
    'system:beside',
    'system:core200',
    'system:between',
    'system:core300',
    'system:late 1',
    'system:late 2',
    'user',
  ])
})

test('PRM-2 placement: system in the prefix, head before the conversation, tail after it', async () => {
  const fixture = await sent([
    handMadeBlock('t', 'T', { priority: 1 }),
    handMadeBlock('h', 'H', { priority: 2, placement: 'head' }),
    handMadeBlock('s', 'S', { priority: 3, placement: 'system' }),
  ])
  assert.deepEqual(fixture.sent, ['system:You are amber.', 'system:S', 'head:H', 'user', 'tail:T'])
})

test('PRM-1 a block that fails contributes nothing and is reported', async () => {
  const diagnostic = {
    severity: 'error',
    code: 'AMB4001',
    file: '',
    line: 1,
    column: 1,
    path: '',
    message: 'x',
  } as const
  const failing = handMadeBlock('bad', '', {
    render: async () => ({
      kind: 'fault',
      fault: { plugin: 'p', label: 'promptBlock bad', reason: 'threw', diagnostic },
    }),
  })
  const fixture = await sent([failing, handMadeBlock('a', 'A')])
  assert.deepEqual(fixture.sent, ['system:You are amber.', 'user', 'tail:A'])
  assert.equal(fixture.faults.length, 1)
})

test('PRM-3 two turns with nothing changed send an identical prefix', async () => {
  const fixture = await sent(
    [handMadeBlock('s', 'S', { placement: 'system' }), handMadeBlock('t', 'T')],
    [core('core100', 100)],
  )
  await fixture.turn('again')
  const [first, second] = fixture.client.requests
  const prefix = (request: typeof first) =>
    JSON.stringify([
      request?.messages.filter((one) => one.role === 'system' && one.placement !== 'tail'),
      request?.tools,
    ])
  assert.equal(prefix(first), prefix(second))
  assert.equal(JSON.stringify(first?.messages.slice(0, 4)), JSON.stringify(second?.messages.slice(0, 4)))
})
