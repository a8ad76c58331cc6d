import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSubagents } from '../../host/agent/subagents.ts'
import { type Approver, askerText } from '../../host/agent/turn.ts'
import { turnExitCode } from '../../host/headless/exit-code.ts'
import type { ToolCall } from '../../sdk/index.ts'
import { createAgentFixture } from '../support/agent-fixture.ts'
import { handMadeBlock, handMadeTool, toolMap } from '../support/hand-made.ts'
import type { Reply, Step } from '../support/scripted-client.ts'

/** A promise and what settles it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** An agent with a `task` tool; its children answer by `child`, itself by `own` in order. */
function fixtureOf(options: {
  readonly own: readonly Reply[]
  readonly child: Step
  readonly tools?: ReturnType<typeof handMadeTool>[]
  readonly parallel?: number
  readonly mode?: 'read' | 'write' | 'yolo'
  readonly approver?: Approver
}) {
  const subagents = createSubagents({ parallel: async () => options.parallel })
  const task = handMadeTool(
    'task',
    async (args, call: ToolCall) => {
      const prompt = String(Object(args).prompt)
      const answer = await subagents.service.run(
        { prompt, conversation: call.conversation, call: call.id },
        { signal: call.signal, progress: (text) => call.progress(text) },
      )
      return answer.ok ? { ok: true, output: answer.text } : { ok: false, error: answer.error }
    },
    { requires: ['subagents'] },
  )
  let own = 0
  const step: Step = (request, watcher) => {
    const first = request.messages.find(({ role }) => role === 'user')?.text ?? ''
    if (!first.startsWith('go')) {
      return typeof options.child === 'function' ? options.child(request, watcher) : options.child
    }
    return options.own[own++] ?? { text: 'done' }
  }
  const fixture = createAgentFixture({
    steps: [step],
    snapshot: {
      tools: toolMap(task, ...(options.tools ?? [])),
      promptBlocks: [
        handMadeBlock('task_doc', 'Use task.', { plugin: 'plugin_task', placement: 'system' }),
        handMadeBlock('other_doc', 'Use others.', { placement: 'system' }),
      ],
    },
    settings: {
      mode: options.mode ?? 'write',
      ...(options.approver === undefined ? {} : { approver: options.approver }),
    },
    deps: { subagents, conversation: () => 'talk' },
  })
  return { ...fixture, subagents }
}

const childRequests = (fixture: ReturnType<typeof fixtureOf>) =>
  fixture.client.requests.filter(
    ({ messages }) => !messages.find(({ role }) => role === 'user')?.text.startsWith('go'),
  )

test('bundled-plugins 3: a sub-agent has its own context, the same tools but task, and its last text is the result', async () => {
  const fixture = fixtureOf({
    own: [{ calls: [['task', { prompt: 'count' }]] }, { text: 'It is three.' }],
    child: ({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { text: 'three' }
        : { text: 'I count.', calls: [['read', {}]] },
    tools: [handMadeTool('read', () => ({ ok: true, output: '3' }), { readOnly: true })],
  })
  const result = await fixture.turn('go')
  assert.equal(result.text, 'It is three.')
  const [first] = childRequests(fixture)
  assert.deepEqual(
    first?.messages.map(({ text }) => text),
    ['You are amber.', 'Use others.', 'count'],
  )
  assert.deepEqual(
    first?.tools.map(({ name }) => name),
    ['read'],
  )
  const texts = fixture.agent.messages().map(({ text }) => text)
  assert.deepEqual(texts, ['go', '', 'ok\nthree\n[end of output]', 'It is three.'])
})

test('bundled-plugins 3: its calls stand in a lane of their own, and its words are not the answer’s', async () => {
  const fixture = fixtureOf({
    own: [{ calls: [['task', { prompt: 'look\nat it' }]] }, { text: 'fine' }],
    child: ({ messages }) =>
      messages.some(({ role }) => role === 'tool') ? { text: 'seen' } : { text: 'hm', calls: [['read', {}]] },
    tools: [handMadeTool('read', () => ({ ok: true, output: 'x' }))],
  })
  await fixture.turn('go')
  assert.deepEqual(
    fixture.sink.requested.map(({ name, lane }) => [name, lane]),
    [
      ['task', undefined],
      ['read', 'call_1_1'],
    ],
  )
  assert.deepEqual(
    fixture.sink.completed.map(({ name, lane }) => [name, lane]),
    [
      ['read', 'call_1_1'],
      ['task', undefined],
    ],
  )
  assert.equal(fixture.sink.texts.join(''), 'fine')
  assert.match(fixture.sink.progress[0] ?? '', /^call_1_1: reading/)
})

test('bundled-plugins 3: none is nested, even when a model tries', async () => {
  const fixture = fixtureOf({
    own: [{ calls: [['task', { prompt: 'outer' }]] }],
    child: ({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { text: 'no' }
        : { calls: [['task', { prompt: 'inner' }]] },
  })
  await fixture.turn('go')
  const [, second] = childRequests(fixture)
  assert.match(second?.messages.findLast(({ role }) => role === 'tool')?.text ?? '', /There is no tool task/)
})

test('bundled-plugins 3: 20 rounds, then it stops and says so', async () => {
  const fixture = fixtureOf({
    own: [{ calls: [['task', { prompt: 'spin' }]] }, { text: 'ok' }],
    child: ({ messages }) => ({
      text: `round ${messages.length}`,
      calls: [['read', { n: messages.length }]],
    }),
    tools: [handMadeTool('read', () => ({ ok: true, output: 'x' }))],
  })
  const result = await fixture.turn('go')
  assert.equal(childRequests(fixture).length, 20)
  assert.equal(result.toolCalls[0]?.ok, false)
  assert.match(fixture.sink.completed.at(-1)?.output ?? '', /The sub-agent stopped: .* 20 requests/)
  assert.deepEqual(result.errors, [], 'the turn itself went on')
})

test('bundled-plugins 3: several in one reply work side by side, so many at once and no more', async () => {
  let running = 0
  let most = 0
  const all = gate()
  const fixture = fixtureOf({
    own: [
      { calls: Array.from({ length: 5 }, (_, at) => ['task', { prompt: `part ${at}` }] as const) },
      { text: 'ok' },
    ],
    async child({ messages }) {
      running++
      most = Math.max(most, running)
      if (running === 2) all.open()
      await all.opened
      running--
      return { text: messages.at(-1)?.text ?? '' }
    },
    parallel: 2,
  })
  await fixture.turn('go')
  assert.equal(most, 2)
  const results = fixture.agent
    .messages()
    .flatMap((one) => (one.role === 'tool' ? [one.text.split('\n')[1]] : []))
  assert.deepEqual(results, ['part 0', 'part 1', 'part 2', 'part 3', 'part 4'])
})

test('TOOL-7 cancelling the turn ends its sub-agents, and those that wait never start', async () => {
  const abort = new AbortController()
  let started = 0
  const fixture = fixtureOf({
    own: [
      {
        calls: [
          ['task', { prompt: 'a' }],
          ['task', { prompt: 'b' }],
        ],
      },
    ],
    child: (_request, { signal }) => {
      started++
      abort.abort()
      assert.equal(signal.aborted, true)
      return {
        status: 'error',
        error: { kind: 'cancelled', retryable: false, message: 'cancelled', hint: '' },
      }
    },
    parallel: 1,
  })
  const result = await fixture.turn('go', abort.signal)
  assert.equal(result.finishReason, 'cancelled')
  assert.equal(started, 1)
})

test('SAFE-2 its calls obey the parent’s approvals: denied for want of an approver is exit code 4', async () => {
  const ran: string[] = []
  const fixture = fixtureOf({
    own: [{ calls: [['task', { prompt: 'write it' }]] }, { text: 'could not' }],
    child: ({ messages }) =>
      messages.some(({ role }) => role === 'tool') ? { text: 'not allowed' } : { calls: [['write', {}]] },
    tools: [
      handMadeTool(
        'write',
        () => {
          ran.push('write')
          return { ok: true }
        },
        { approval: 'always' },
      ),
    ],
  })
  const result = await fixture.turn('go')
  assert.deepEqual(ran, [])
  assert.deepEqual(
    result.errors.map(({ kind }) => kind),
    ['denied'],
  )
  assert.equal(turnExitCode(result, { interrupted: false }), 4)
})

test('interfaces 2: what sub-agents use counts as the turn’s', async () => {
  const fixture = fixtureOf({
    own: [{ calls: [['task', { prompt: 'x' }]] }, { text: 'ok' }],
    child: { text: 'y' },
  })
  const result = await fixture.turn('go')
  assert.equal(result.usage.inputTokens, 30)
  assert.equal(result.usage.wire.completionTokens, 15)
})

test('TOOL-3 outside a turn there are no sub-agents, and a broken child is an error result', async () => {
  const { subagents } = fixtureOf({ own: [], child: {} })
  const watch = { signal: new AbortController().signal, progress: () => {} }
  const outside = await subagents.service.run({ prompt: 'x', conversation: 'talk', call: 'c' }, watch)
  assert.equal(outside.ok, false)
  const leave = subagents.enter({
    conversation: 'talk',
    spawn: async () => {
      throw new Error('boom')
    },
  })
  const broken = await subagents.service.run({ prompt: 'x', conversation: 'talk', call: 'c' }, watch)
  assert.match(broken.ok ? '' : broken.error, /boom/)
  leave()
})

test('SAFE-2 an approval says who asks: the model in its turn, or the sub-agent by its task', async () => {
  const asked: (string | undefined)[] = []
  const fixture = fixtureOf({
    own: [
      { text: 'hello' },
      { calls: [['bash', {}]] },
      { calls: [['task', { prompt: 'find the tests\nall of them' }]] },
      { text: 'done' },
    ],
    child: ({ messages }) =>
      messages.some(({ role }) => role === 'tool') ? { text: 'found' } : { calls: [['bash', {}]] },
    tools: [handMadeTool('bash', () => ({ ok: true, output: 'x' }), { requiresApproval: async () => true })],
    approver: async ({ asker }) => {
      asked.push(asker && askerText(asker))
      return 'once'
    },
  })
  await fixture.turn('go')
  await fixture.turn('go on')
  assert.deepEqual(asked, ['the model in turn 2', 'the sub-agent "find the tests" in turn 2'])
})
