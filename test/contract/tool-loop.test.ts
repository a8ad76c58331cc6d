import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgentFixture } from '../support/agent-fixture.ts'
import { handMadeBlock, handMadeSnapshot, handMadeTool, toolMap } from '../support/hand-made.ts'

/** A promise and what settles it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const networkError = {
  kind: 'quota',
  status: 429,
  retryable: false,
  message: 'The account has no credit left.',
  hint: 'Top it up.',
} as const

test('TOOL-2 a turn asks, calls, answers: the conversation has every message in order', async () => {
  const fixture = createAgentFixture({
    steps: [{ text: 'I look.', calls: [['read', { path: 'a' }]] }, { text: 'It says a.' }],
    snapshot: { tools: toolMap(handMadeTool('read', () => ({ ok: true, output: 'a' }))) },
  })
  const added: string[] = []
  fixture.bus.subscribe('t', 'message.added', (event) => added.push(event.role))
  const result = await fixture.turn('what does a say?')
  assert.equal(result.text, 'It says a.')
  assert.equal(result.finishReason, 'stop')
  assert.deepEqual(
    fixture.agent.messages().map((message) => message.role),
    ['user', 'assistant', 'tool', 'assistant'],
  )
  assert.deepEqual(added, ['user', 'assistant', 'tool', 'assistant'])
  assert.deepEqual(result.usage, {
    inputTokens: 20,
    outputTokens: 10,
    wire: { promptTokens: 20, completionTokens: 10 },
  })
  assert.equal(fixture.sink.texts.join(''), 'I look.It says a.')
  assert.equal(result.session, null)
})

test('TOOL-3 results stand in call order whatever the order of completion; reads run together', async () => {
  const second = gate()
  const ended: string[] = []
  const slow = handMadeTool(
    'slow',
    async () => {
      await second.opened
      ended.push('slow')
      return { ok: true, output: 'slow' }
    },
    { readOnly: true },
  )
  const quick = handMadeTool(
    'quick',
    () => {
      ended.push('quick')
      second.open()
      return { ok: true, output: 'quick' }
    },
    { readOnly: true },
  )
  const fixture = createAgentFixture({
    steps: [
      {
        calls: [
          ['slow', {}],
          ['quick', {}],
        ],
      },
      { text: 'done' },
    ],
    snapshot: { tools: toolMap(slow, quick) },
  })
  const result = await fixture.turn()
  assert.deepEqual(ended, ['quick', 'slow'])
  assert.deepEqual(
    result.toolCalls.map((call) => call.name),
    ['slow', 'quick'],
  )
  const results = fixture.agent.messages().filter((message) => message.role === 'tool')
  assert.deepEqual(
    results.map((message) => message.callId),
    ['call_1_1', 'call_1_2'],
  )
})

test('TOOL-3 calls that change things run one by one, and a read after a write waits for it', async () => {
  const log: string[] = []
  const tool = (name: string, readOnly: boolean) =>
    handMadeTool(
      name,
      async () => {
        log.push(`${name} begins`)
        await Promise.resolve()
        log.push(`${name} ends`)
        return { ok: true }
      },
      { readOnly },
    )
  const fixture = createAgentFixture({
    steps: [
      {
        calls: [
          ['write', {}],
          ['write', {}],
          ['read', {}],
        ],
      },
      { text: 'done' },
    ],
    snapshot: { tools: toolMap(tool('write', false), tool('read', true)) },
  })
  await fixture.turn()
  assert.deepEqual(log, [
    'write begins',
    'write ends',
    'write begins',
    'write ends',
    'read begins',
    'read ends',
  ])
})

test('B12 after a cancel the next call never starts, and still has its answer in the conversation', async () => {
  const abort = new AbortController()
  const ran: string[] = []
  const tool = (name: string) =>
    handMadeTool(name, () => {
      ran.push(name)
      abort.abort()
      return { ok: true }
    })
  const fixture = createAgentFixture({
    steps: [
      {
        calls: [
          ['first', {}],
          ['second', {}],
        ],
      },
    ],
    snapshot: { tools: toolMap(tool('first'), tool('second')) },
  })
  const result = await fixture.turn('go', abort.signal)
  assert.deepEqual(ran, ['first'])
  assert.equal(result.finishReason, 'cancelled')
  assert.equal(fixture.client.requests.length, 1)
  assert.equal(fixture.agent.messages().filter((message) => message.role === 'tool').length, 2)
  assert.deepEqual(result.errors, [])
})

test('TOOL-3 an error of the server ends the turn with an error, its partial text kept without its calls (H5)', async () => {
  const fixture = createAgentFixture({
    steps: [{ text: 'Half an', calls: [['read', {}]], status: 'error', error: networkError }],
    snapshot: { tools: toolMap(handMadeTool('read', () => assert.fail('a call of a broken reply ran'))) },
  })
  const raised: string[] = []
  fixture.bus.subscribe('t', 'error.raised', (event) => raised.push(event.kind))
  const result = await fixture.turn()
  assert.deepEqual(result.errors, [
    { kind: 'quota', status: 429, message: networkError.message, hint: networkError.hint },
  ])
  assert.equal(result.text, 'Half an')
  assert.deepEqual(raised, ['quota'])
  assert.deepEqual(
    fixture.agent
      .messages()
      .map((message) => (message.role === 'assistant' ? message.toolCalls : message.role)),
    ['user', []],
  )
})

test('PRO-10 a stream without its end is incomplete: its calls never run, and the turn failed', async () => {
  const fixture = createAgentFixture({
    steps: [{ text: 'Half', calls: [['read', {}]], status: 'incomplete', finishReason: '' }],
    snapshot: { tools: toolMap(handMadeTool('read', () => assert.fail('ran'))) },
  })
  const result = await fixture.turn()
  assert.equal(result.finishReason, 'incomplete')
  assert.equal(result.errors[0]?.kind, 'protocol')
})

test('PRO-10 a call that the output limit cut is answered with an error and never run', async () => {
  const fixture = createAgentFixture({
    steps: [
      {
        calls: [{ id: 'c1', name: 'read', arguments: '', cut: true }],
        finishReason: 'length',
      },
      { text: 'done' },
    ],
    snapshot: { tools: toolMap(handMadeTool('read', () => assert.fail('ran'))) },
  })
  const result = await fixture.turn()
  assert.deepEqual(result.toolCalls, [])
  assert.match(JSON.stringify(fixture.agent.messages()), /output limit cut this call/)
})

test('TOOL-3 an empty reply is asked again once; twice empty stays empty, and a notice says so', async () => {
  const mended = createAgentFixture({ steps: [{ text: '  ' }, { text: 'there' }] })
  assert.equal((await mended.turn()).text, 'there')
  assert.deepEqual(mended.sink.notices, [])
  const empty = createAgentFixture({ steps: [{ text: '' }] })
  const result = await empty.turn()
  assert.equal(result.text, '')
  assert.equal(empty.client.requests.length, 2)
  assert.match(empty.sink.notices.join(), /answered nothing, twice/)
  assert.equal(empty.agent.messages().length, 1, 'no empty assistant message is stored (P18)')
})

test('TOOL-3 a finish reason that matters is shown', async () => {
  const notices = async (reply: object) => {
    const fixture = createAgentFixture({ steps: [{ text: 'x', ...reply }] })
    await fixture.turn()
    return fixture.sink.notices.join()
  }
  assert.match(await notices({ finishReason: 'length' }), /output limit \(length\)/)
  assert.match(await notices({ finishReason: 'MAX_TOKENS' }), /output limit/)
  assert.match(await notices({ finishReason: 'SAFETY' }), /stopped early: SAFETY/)
  assert.match(await notices({ refusal: 'I will not.' }), /refused: I will not/)
  for (const plain of ['stop', 'end_turn', 'STOP']) assert.equal(await notices({ finishReason: plain }), '')
})

test('CLI-1 the limit of requests ends the turn with an error of its own', async () => {
  let count = 0
  const fixture = createAgentFixture({
    steps: [() => ({ calls: [['read', { n: count++ }]] })],
    snapshot: { tools: toolMap(handMadeTool('read', () => ({ ok: true }))) },
    settings: { maxRequests: 3 },
  })
  const result = await fixture.turn()
  assert.equal(fixture.client.requests.length, 3)
  assert.equal(result.finishReason, 'limit')
  assert.equal(result.errors[0]?.kind, 'limit')
  assert.equal(fixture.agent.messages().at(-1)?.role, 'tool', 'the last calls have their results')
})

test('TOOL-3 a model in a circle is steered once, then stopped with the reason', async () => {
  const fixture = createAgentFixture({
    steps: [{ calls: [['read', { path: 'a' }]] }],
    snapshot: { tools: toolMap(handMadeTool('read', () => ({ ok: true }))) },
  })
  const result = await fixture.turn()
  assert.equal(fixture.client.requests.length, 4)
  assert.equal(result.finishReason, 'circles')
  assert.match(result.errors[0]?.message ?? '', /the same calls were made 4 times in a row/)
  assert.equal(fixture.agent.messages().filter((message) => message.role === 'user').length, 2)
})

test('EVT-2 turn.started can change the prompt, and a veto ends the turn before anything is sent', async () => {
  const changed = createAgentFixture({ steps: [{ text: 'ok' }] })
  changed.bus.subscribe('a', 'turn.started', (event) => ({ prompt: `${event.prompt}, please` }))
  await changed.turn('go')
  assert.deepEqual(changed.agent.messages()[0], { role: 'user', text: 'go, please' })

  const vetoed = createAgentFixture({ steps: [{ text: 'ok' }] })
  const ended: string[] = []
  vetoed.bus.subscribe('a', 'turn.started', () => false)
  vetoed.bus.subscribe('b', 'turn.ended', (event) => ended.push(event.reason))
  const result = await vetoed.turn()
  assert.equal(result.finishReason, 'vetoed')
  assert.match(result.errors[0]?.message ?? '', /Plugin a stopped the turn/)
  assert.equal(vetoed.client.requests.length, 0)
  assert.deepEqual(vetoed.agent.messages(), [])
  assert.deepEqual(ended, ['vetoed'])
})

test('EVT-2 every turn ends with turn.ended, every answer with llm.response', async () => {
  const fixture = createAgentFixture({
    steps: [{ calls: [['read', {}]] }, { text: 'done' }],
    snapshot: { tools: toolMap(handMadeTool('read', () => ({ ok: true }))) },
  })
  const seen: string[] = []
  fixture.bus.subscribe('t', 'llm.response', (event) =>
    seen.push(`${event.provider} ${event.finishReason} ${event.inputTokens}`),
  )
  fixture.bus.subscribe('t', 'turn.ended', (event) => seen.push(`${event.turn} ${event.toolCalls}`))
  await fixture.turn()
  assert.deepEqual(seen, ['scripted tool_calls 10', 'scripted stop 10', 'turn-1 1'])
})

test('TOOL-3 a turn never rejects: a client that does is an error of the turn', async () => {
  const fixture = createAgentFixture({ steps: [() => Promise.reject(new Error('a bug'))] })
  const result = await fixture.turn()
  assert.match(result.errors[0]?.message ?? '', /a bug/)
})

test('TOOL-3 a second turn waits for the first', async () => {
  const first = gate()
  const fixture = createAgentFixture({
    steps: [
      async () => {
        await first.opened
        return { text: 'one' }
      },
      { text: 'two' },
    ],
  })
  const both = [fixture.turn('1'), fixture.turn('2')]
  first.open()
  assert.deepEqual(
    (await Promise.all(both)).map((result) => result.text),
    ['one', 'two'],
  )
  assert.deepEqual(
    fixture.agent.messages().map((message) => message.role),
    ['user', 'assistant', 'user', 'assistant'],
  )
})

test('PRM-4 and row L19: schema and text of a plugin come and go in the same request', async () => {
  const tool = handMadeTool('greet', () => ({ ok: true }))
  const on = handMadeSnapshot({
    tools: toolMap(tool),
    promptBlocks: [handMadeBlock('greet_doc', 'How to greet.')],
  })
  const fixture = createAgentFixture({
    steps: [
      () => {
        fixture.setSnapshot(on)
        return { calls: [['missing', { n: 1 }]] }
      },
      () => {
        fixture.setSnapshot(handMadeSnapshot())
        return { calls: [['missing', { n: 2 }]] }
      },
      { text: 'done' },
    ],
  })
  await fixture.turn()
  assert.deepEqual(
    fixture.client.requests.map((request) => [
      request.tools.length,
      request.messages.some((message) => message.role === 'system' && message.text === 'How to greet.'),
    ]),
    [
      [0, false],
      [1, true],
      [0, false],
    ],
  )
})

test('SWAP-4 a call runs on the version that is live when it is made', async () => {
  const version = (word: string) => handMadeTool('greet', () => ({ ok: true, output: word }))
  const fixture = createAgentFixture({
    steps: [
      () => {
        fixture.setSnapshot(handMadeSnapshot({ tools: toolMap(version('new')) }))
        return { calls: [['greet', {}]] }
      },
      { text: 'done' },
    ],
    snapshot: { tools: toolMap(version('old')) },
  })
  await fixture.turn()
  assert.equal(fixture.sink.completed[0]?.output, 'new')
})
