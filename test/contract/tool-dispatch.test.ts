import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callTool } from '../../host/agent/call-tool.ts'
import { createEventBus } from '../../host/base/event-bus.ts'
import type { InstalledTool } from '../../host/registry/contribution.ts'
import type { UnavailableName } from '../../host/registry/snapshot.ts'
import { createAgentFixture, lastToolText } from '../support/agent-fixture.ts'
import { handMadeSnapshot, handMadeTool, toolMap } from '../support/hand-made.ts'
import { createManualClock } from '../support/manual-clock.ts'

/** Runs one call of one tool in a turn and gives the fixture. */
async function callOnce(tool: InstalledTool, args: unknown, settings = {}) {
  const fixture = createAgentFixture({
    steps: [{ calls: [[tool.name, args]] }, { text: 'done' }],
    snapshot: { tools: toolMap(tool) },
    settings,
  })
  const result = await fixture.turn()
  return { ...fixture, result }
}

const ok = (output: string) => () => ({ ok: true, output })

test('TOOL-1 a result’s output goes to the model, its meta to the screen only', async () => {
  const tool = handMadeTool('greet', () => ({ ok: true, output: 'Hello!', meta: { diff: 'secret' } }))
  const { sink, result, ...fixture } = await callOnce(tool, { name: 'amber' })
  assert.equal(result.text, 'done')
  assert.match(lastToolText({ ...fixture, sink }), /Hello!/)
  assert.doesNotMatch(JSON.stringify(fixture.client.requests), /secret/)
  assert.deepEqual(sink.completed[0]?.meta, { diff: 'secret' })
  assert.equal(sink.requested[0]?.verb, 'greeting')
  assert.deepEqual(result.toolCalls, [
    {
      id: 'call_1_1',
      name: 'greet',
      plugin: 'plugin_greet',
      arguments: { name: 'amber' },
      ok: true,
      durationMs: 0,
    },
  ])
})

test('TOOL-3 a throw, a rejection and a non-result become error results that name tool and plugin; the turn goes on', async () => {
  const wrongs: readonly (() => unknown)[] = [
    () => {
      throw new Error('boom')
    },
    () => Promise.reject(new Error('boom')),
    () => undefined,
    () => null,
    () => 'text',
    () => ({ ok: 'yes' }),
    () => ({ ok: true, output: 5 }),
    () => ({ ok: true, meta: [] }),
  ]
  for (const wrong of wrongs) {
    const fixture = await callOnce(handMadeTool('greet', wrong), {})
    assert.equal(fixture.result.text, 'done')
    assert.equal(fixture.result.toolCalls[0]?.ok, false)
    assert.match(lastToolText(fixture), /^error: Tool greet of plugin plugin_greet /)
    assert.deepEqual(fixture.result.errors, [])
  }
})

test('TOOL-3 a fault of the guarded code names tool and plugin too', async () => {
  const diagnostic = {
    severity: 'error',
    code: 'AMB4001',
    file: '/p/index.ts',
    line: 3,
    column: 5,
    path: '',
    message: 'it threw: boom',
  } as const
  const tool = handMadeTool('greet', ok(''), {
    execute: async () => ({
      kind: 'fault',
      fault: { plugin: 'p', label: 'tool greet', reason: 'threw', diagnostic },
    }),
  })
  assert.match(
    lastToolText(await callOnce(tool, {})),
    /Tool greet of plugin plugin_greet failed: it threw: boom/,
  )
})

test('LED-3 a decline at the first call is an error result for that call', async () => {
  const tool = handMadeTool('task', ok(''), {
    execute: async () => ({ kind: 'declined', why: 'no sub-agents in this run' }),
  })
  const fixture = await callOnce(tool, {})
  assert.match(
    lastToolText(fixture),
    /task of plugin plugin_task is not available here: no sub-agents in this run/,
  )
})

test('TOOL-3 an error with output gives the model both', async () => {
  const tool = handMadeTool('bash', () => ({ ok: false, output: '1 failing', error: 'exit code 1' }))
  const fixture = await callOnce(tool, {})
  assert.equal(lastToolText(fixture), 'error: exit code 1\n1 failing\n[end of output]')
  assert.equal(fixture.sink.completed[0]?.output, 'exit code 1\n1 failing')
})

test('TOOL-4 and rows D10, D12: what is not JSON is answered with what to mend, nothing is {}', async () => {
  const seen: unknown[] = []
  const tool = handMadeTool('read', (args) => {
    seen.push(args)
    return { ok: true, output: 'read' }
  })
  for (const bad of ['{"p":1}}', '{"p":', 'nonsense', '"{\\"p\\":1}"', '[1]', '7']) {
    const fixture = await callOnce(tool, bad)
    assert.match(lastToolText(fixture), /^error: The arguments /, bad)
    assert.equal(fixture.result.text, 'done')
    assert.equal(fixture.result.toolCalls[0]?.arguments, bad)
  }
  assert.deepEqual(seen, [])
  for (const none of ['', '  ', 'null', '{}']) await callOnce(tool, none)
  assert.deepEqual(seen, [{}, {}, {}, {}])
})

test('TOOL-4 and row D11: a mismatch goes back to the model, and no plugin code sees the wrong arguments', async () => {
  const tool = handMadeTool('read', () => assert.fail('ran'), {
    check: async () => ({ ok: false, message: 'path must be a string' }),
    summarize: () => assert.fail('summarized arguments that were not validated'),
    requiresApproval: async () => assert.fail('asked about arguments that were not validated'),
  })
  const fixture = await callOnce(tool, { path: { x: 1 } })
  assert.match(lastToolText(fixture), /do not fit its schema: path must be a string/)
  assert.equal(fixture.sink.requested[0]?.summary, 'read')
})

test('TOOL-4 arguments run as the check coerced them', async () => {
  const seen: unknown[] = []
  const tool = handMadeTool('read', (args) => seen.push(args), {
    check: async () => ({ ok: true, args: { limit: 5 } }),
  })
  await callOnce(tool, { limit: '5' })
  assert.deepEqual(seen, [{ limit: 5 }])
})

test('TOOL-4 arguments that an interceptor changed are validated', async () => {
  const tool = handMadeTool('read', () => assert.fail('ran'), {
    check: async (args) =>
      JSON.stringify(args) === '{"path":"a"}' ? { ok: true, args } : { ok: false, message: 'unknown key y' },
  })
  const fixture = createAgentFixture({
    steps: [{ calls: [['read', { path: 'a' }]] }, { text: 'done' }],
    snapshot: { tools: toolMap(tool) },
  })
  fixture.bus.subscribe('meddler', 'tool.requested', () => ({ arguments: { y: 1 } }))
  const result = await fixture.turn()
  assert.match(lastToolText(fixture), /an interceptor changed them\): unknown key y/)
  assert.deepEqual(result.toolCalls[0]?.arguments, { y: 1 })
})

test('EVT-2 an interceptor that changes its event in place changes nothing', async () => {
  const seen: unknown[] = []
  const fixture = createAgentFixture({
    steps: [{ calls: [['read', { path: 'a' }]] }, { text: 'done' }],
    snapshot: { tools: toolMap(handMadeTool('read', (args) => seen.push(args))) },
  })
  fixture.bus.subscribe('meddler', 'tool.requested', (event) => {
    Object.assign(Object(event.arguments), { path: '/etc/passwd' })
  })
  await fixture.turn()
  assert.deepEqual(seen, [{ path: 'a' }])
})

test('EVT-3 a veto of tool.requested is an error result that names the plugin, and the tool never runs', async () => {
  const fixture = createAgentFixture({
    steps: [{ calls: [['read', {}]] }, { text: 'done' }],
    snapshot: { tools: toolMap(handMadeTool('read', () => assert.fail('ran'))) },
  })
  fixture.bus.subscribe('warden', 'tool.requested', () => ({ cancel: 'not on Sundays' }))
  assert.equal((await fixture.turn()).text, 'done')
  assert.match(lastToolText(fixture), /Plugin warden stopped this call: not on Sundays/)
})

test('EVT-2 tool.completed tells how long the call took', async () => {
  const durations: number[] = []
  const fixture = createAgentFixture({
    steps: [{ calls: [['read', {}]] }, { text: 'done' }],
    snapshot: {
      tools: toolMap(
        handMadeTool('read', () => {
          fixture.clock.advance(41)
          return { ok: true }
        }),
      ),
    },
  })
  fixture.bus.subscribe('t', 'tool.completed', (event) => durations.push(event.durationMs))
  await fixture.turn()
  assert.deepEqual(durations, [41])
})

test('TOOL-6 an approval question that throws counts as yes', async () => {
  const tool = handMadeTool('bash', () => assert.fail('ran'), {
    approval: 'dynamic',
    requiresApproval: () => Promise.reject(new Error('cannot judge')),
  })
  const fixture = await callOnce(tool, {})
  assert.match(lastToolText(fixture), /bash needs approval and nobody is there/)
})

test('SAFE-2 without an approver what needs approval is denied, the model is told, and the turn says so', async () => {
  const tool = handMadeTool('bash', () => assert.fail('ran'), { approval: 'always' })
  const { result } = await callOnce(tool, {})
  assert.equal(result.text, 'done')
  assert.deepEqual(
    result.errors.map((error) => error.kind),
    ['denied'],
  )
})

test('SAFE-2 an answer for the session is remembered by plugin and tool; once and deny are not', async () => {
  const asked: string[] = []
  const answers = ['once', 'deny', 'session'] as const
  const fixture = createAgentFixture({
    steps: [{ calls: Array.from({ length: 5 }, (_, n) => ['bash', { n }] as const) }, { text: 'done' }],
    snapshot: { tools: toolMap(handMadeTool('bash', ok('ran'), { approval: 'always' })) },
    settings: {
      approver: async (request) => {
        asked.push(request.summary)
        return answers[asked.length - 1] ?? 'deny'
      },
    },
  })
  const result = await fixture.turn()
  assert.deepEqual(
    result.toolCalls.map((call) => call.ok),
    [true, false, true, true, true],
  )
  assert.equal(asked.length, 3)
  fixture.agent.reset()
  await fixture.turn()
  assert.equal(asked.length, 3, 'the script is used up, so nothing was called')
})

test('SAFE-2 a question that nobody answers is denied after 60 s, or as set, and the screen’s question ends', async () => {
  for (const [settings, waitMs] of [
    [{}, 60_000],
    [{ approvalTimeoutMs: 5_000 }, 5_000],
  ] as const) {
    let withdrawn = false
    const fixture = createAgentFixture({
      steps: [{ calls: [['bash', {}]] }, { text: 'done' }],
      snapshot: {
        tools: toolMap(handMadeTool('bash', () => assert.fail('ran'), { approval: 'always' })),
      },
      settings: {
        ...settings,
        approver: (_, signal) => {
          signal.addEventListener('abort', () => {
            withdrawn = true
          })
          queueMicrotask(() => fixture.clock.advance(waitMs))
          return new Promise(() => {})
        },
      },
    })
    const result = await fixture.turn()
    assert.match(lastToolText(fixture), /did not allow/)
    assert.equal(withdrawn, true)
    assert.equal(result.text, 'done')
  }
})

test('SAFE-2 an approver that throws has denied', async () => {
  const tool = handMadeTool('bash', () => assert.fail('ran'), { approval: 'always' })
  const fixture = await callOnce(tool, {}, { approver: () => Promise.reject(new Error('dialog broke')) })
  assert.match(lastToolText(fixture), /did not allow/)
  assert.deepEqual(fixture.result.errors, [])
})

test('SAFE-2 yolo asks nothing; read offers and runs read-only tools alone', async () => {
  const asks = handMadeTool('bash', ok('ran'), { approval: 'always' })
  assert.equal((await callOnce(asks, {}, { mode: 'yolo' })).result.toolCalls[0]?.ok, true)
  const fixture = createAgentFixture({
    steps: [{ calls: [['write', {}]] }, { text: 'done' }],
    snapshot: {
      tools: toolMap(
        handMadeTool('write', () => assert.fail('ran')),
        handMadeTool('read', ok(''), { readOnly: true }),
      ),
    },
    settings: { mode: 'read' },
  })
  await fixture.turn()
  assert.deepEqual(
    fixture.client.requests[0]?.tools.map((tool) => tool.name),
    ['read'],
  )
  assert.match(lastToolText(fixture), /read mode/)
  fixture.agent.setMode('write')
  await fixture.turn()
  assert.equal(fixture.client.requests.at(-1)?.tools.length, 2)
})

test('TOOL-7 and row B11: a call that ignores its cancellation is abandoned after 1 s and reported', async () => {
  const abort = new AbortController()
  const fixture = createAgentFixture({
    steps: [{ calls: [['hang', {}]] }],
    snapshot: {
      tools: toolMap(
        handMadeTool('hang', () => {
          queueMicrotask(() => {
            abort.abort()
            fixture.clock.advance(999)
            assert.deepEqual(fixture.abandoned, [])
            fixture.clock.advance(1)
          })
          return new Promise(() => {})
        }),
      ),
    },
  })
  const result = await fixture.turn('go', abort.signal)
  assert.equal(result.finishReason, 'cancelled')
  assert.deepEqual(fixture.abandoned, ['plugin_hang.hang'])
  assert.match(lastToolText(fixture), /ignored its cancellation/)
  assert.match(fixture.sink.notices.join(), /hang of plugin plugin_hang ignored its cancellation/)
})

test('TOOL-7 a call that ends when it is cancelled is not abandoned, and its output is kept', async () => {
  const abort = new AbortController()
  const tool = handMadeTool('sleep', (_, call) => {
    const stopped = new Promise((resolve) =>
      call.signal.addEventListener('abort', () =>
        resolve({ ok: false, output: 'half', error: 'interrupted' }),
      ),
    )
    queueMicrotask(() => abort.abort())
    return stopped
  })
  const fixture = createAgentFixture({
    steps: [{ calls: [['sleep', {}]] }],
    snapshot: { tools: toolMap(tool) },
  })
  await fixture.turn('go', abort.signal)
  assert.deepEqual(fixture.abandoned, [])
  assert.equal(fixture.clock.pending(), 0)
  assert.equal(lastToolText(fixture), 'error: The call was cancelled.\nhalf\n[end of output]')
})

test('TOOL-8 output is capped with a note, and the cut never splits a code point', async () => {
  const text = 'é€😀'.repeat(20)
  for (let cap = 0; cap <= 27; cap++) {
    const tool = handMadeTool('read', ok(text), { maxOutputBytes: cap })
    const output = (await callOnce(tool, {})).sink.completed[0]?.output ?? ''
    const [kept = '', note = ''] = output.split('\n[… ')
    assert.ok(text.startsWith(kept), `${cap}: ${kept}`)
    assert.ok(Buffer.byteLength(kept) <= cap && Buffer.byteLength(kept) > cap - 4)
    assert.equal(note, `${180 - Buffer.byteLength(kept)} of 180 bytes were left out]`)
  }
})

test('TOOL-8 64 KiB is the most, whatever a tool says; a lone surrogate never gets through', async () => {
  const big = handMadeTool('read', ok('x'.repeat(100_000)), { maxOutputBytes: 1_000_000 })
  const output = (await callOnce(big, {})).sink.completed[0]?.output ?? ''
  assert.match(output, /^x{65536}\n\[… 34464 of 100000 bytes were left out\]$/)
  const broken = handMadeTool('read', ok('a\ud83d'))
  assert.equal((await callOnce(broken, {})).sink.completed[0]?.output, 'a\ufffd')
})

test('TOOL-8 the error counts too', async () => {
  const tool = handMadeTool('read', () => ({ ok: false, error: 'e'.repeat(50), output: 'o'.repeat(500) }), {
    maxOutputBytes: 100,
  })
  const output = (await callOnce(tool, {})).sink.completed[0]?.output ?? ''
  assert.match(output, /^e{50}\no{50}\n\[… 450 of 500 bytes/)
})

test('TOOL-3 an unknown tool gets the nearest names, one of a plugin that is off its plugin and the remedy', async () => {
  const gone: UnavailableName = {
    plugin: 'hello',
    why: 'is switched off',
    remedy: 'amber plugin on hello',
  }
  const fixture = createAgentFixture({
    steps: [{ calls: [['serach', {}]] }, { calls: [['greet', {}]] }, { text: 'done' }],
    snapshot: {
      tools: toolMap(handMadeTool('search', ok(''))),
      unavailable: new Map([['tool:greet', gone]]),
    },
  })
  const result = await fixture.turn()
  assert.equal(result.text, 'done')
  const [unknown, off] = fixture.agent.messages().filter((message) => message.role === 'tool')
  assert.match(JSON.stringify(unknown), /There is no tool serach\. Did you mean search\?/)
  assert.match(JSON.stringify(off), /plugin hello, which is switched off.*amber plugin on hello/)
})

test('TOOL-1 progress reaches the screen until the call ends, and not after', async () => {
  let late: (text: string) => void = () => {}
  const tool = handMadeTool('read', (_, call) => {
    call.progress('half')
    late = call.progress
    return { ok: true }
  })
  const { sink } = await callOnce(tool, {})
  late('too late')
  assert.deepEqual(sink.progress, ['call_1_1: half'])
})

test('DEV-2 a call from outside a turn meets the same approvals and checks', async () => {
  const clock = createManualClock()
  const deps = {
    clock,
    bus: createEventBus({ clock, onFault: () => {} }),
    mode: () => 'write' as const,
    onAbandoned: () => {},
    snapshot: () =>
      handMadeSnapshot({ tools: toolMap(handMadeTool('bash', ok('ran'), { approval: 'always' })) }),
  }
  const denied = await callTool(deps, { name: 'bash', args: {} })
  assert.ok(!denied.ok && denied.error?.includes('needs approval'))
  const allowed = await callTool(deps, { name: 'bash', args: {} }, { approver: async () => 'once' })
  assert.deepEqual(allowed, { ok: true, output: 'ran', durationMs: 0 })
  assert.equal((await callTool(deps, { name: 'nope', args: {} })).ok, false)
})
