import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CoreBlock } from '../../host/agent/prompt.ts'
import type { InstalledPromptBlock } from '../../host/registry/contribution.ts'
import { createAgentFixture } from '../support/agent-fixture.ts'
import { handMadeBlock, handMadeSnapshot, handMadeTool, toolMap } from '../support/hand-made.ts'

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

test('PRM-3 within a turn the stable prefix is rendered once; the next turn, and what follows the conversation, anew', async () => {
  let core = 0
  const counts = { system: 0, tail: 0 }
  const counting = (name: 'system' | 'tail') =>
    handMadeBlock(name, '', {
      placement: name,
      render: async () => ({ kind: 'value', value: `${name} ${++counts[name]}` }),
    })
  const fixture = createAgentFixture({
    steps: [{ calls: [['look', { at: 1 }]] }, { calls: [['look', { at: 2 }]] }, { text: 'ok' }],
    snapshot: {
      promptBlocks: [counting('system'), counting('tail')],
      tools: toolMap(handMadeTool('look', () => ({ ok: true }), { readOnly: true })),
    },
    coreBlocks: [{ name: 'files', priority: 300, placement: 'system', render: () => `files ${++core}` }],
  })
  await fixture.turn()
  const textsOf = (request: number) =>
    (fixture.client.requests[request]?.messages ?? []).flatMap((one) =>
      one.role === 'system' ? one.text : [],
    )
  assert.equal(fixture.client.requests.length, 3)
  assert.deepEqual(textsOf(0), ['You are amber.', 'files 1', 'system 1', 'tail 1'])
  assert.deepEqual(textsOf(2), ['You are amber.', 'files 1', 'system 1', 'tail 3'])
  assert.equal(fixture.client.requests[0]?.tools, fixture.client.requests[2]?.tools)
  await fixture.turn()
  assert.deepEqual(textsOf(3).slice(1, 3), ['files 2', 'system 2'])
})

test('PRM-4 a toggle in the middle of a turn takes schema and prose out of the very next request', async () => {
  const tools = toolMap(
    handMadeTool('look', () => ({ ok: true })),
    handMadeTool('gone', () => ({ ok: true })),
  )
  const prose = [handMadeBlock('gone', 'about gone', { placement: 'system' })]
  const fixture = createAgentFixture({
    steps: [
      { calls: [['look', {}]] },
      () => {
        fixture.setSnapshot(handMadeSnapshot({ tools: toolMap(...[...tools.values()].slice(0, 1)) }))
        return { calls: [['look', {}]] }
      },
      { text: 'ok' },
    ],
    snapshot: { tools, promptBlocks: prose },
  })
  await fixture.turn()
  const seen = fixture.client.requests.map(({ tools: offered, messages }) => [
    offered.map(({ name }) => name).join(),
    messages.some(({ text }) => text === 'about gone'),
  ])
  assert.deepEqual(seen, [
    ['look,gone', true],
    ['look,gone', true],
    ['look', false],
  ])
})

test('PRM-1 a block that failed is asked again with the next request of the turn', async () => {
  let tries = 0
  const block = handMadeBlock('late', '', {
    placement: 'system',
    render: async () =>
      ++tries === 1 ? { kind: 'declined', why: 'not yet' } : { kind: 'value', value: 'there' },
  })
  const fixture = createAgentFixture({
    steps: [{ calls: [['look', {}]] }, { text: 'ok' }],
    snapshot: { promptBlocks: [block], tools: toolMap(handMadeTool('look', () => ({ ok: true }))) },
  })
  await fixture.turn()
  assert.equal(
    fixture.client.requests[1]?.messages.some(({ text }) => text === 'there'),
    true,
  )
})
