import assert from 'node:assert/strict'
import test from 'node:test'
import { replayBlocks } from '../../host/tui/index.ts'
import { aborted, assertScreen, call, openTestScreen } from '../support/test-screen.ts'

const DIFF = [
  '--- a/src/checkout/total.ts',
  '+++ b/src/checkout/total.ts',
  '@@ -41,1 +41,2 @@',
  '-  return items.reduce((a, b) => a + b.price)',
  '+  if (items.length === 0) return 0',
  '+  return items.reduce((a, b) => a + b.price, 0)',
].join('\n')

const ANSWER = [
  'An **empty** cart reduced to `undefined`, so the sum became *NaN*:',
  '',
  '- the sum starts at 0 now',
  '- an empty cart is *told*',
  '',
  '```ts',
  'const total = (items: Item[]) => items.reduce((a, b) => a + b.price, 0)',
  '```',
  '',
  '| cart | total |',
  '|---|---|',
  '| empty | 0 |',
].join('\n')

test('a conversation tells at a glance what was asked, done and answered', async () => {
  const shown = await openTestScreen({
    width: 100,
    height: 36,
    async script(sink) {
      sink.reasoning('Where is the total made?')
      for (const one of [
        {
          ...call('1', 'searching', '"emptyCart" in src'),
          meta: { shown: 6, total: 6 },
          output: '',
          ok: true,
          durationMs: 41,
        },
        {
          ...call('2', 'hacking', 'npm test -- checkout'),
          meta: { exitCode: 1 },
          output: '✖ total of an empty cart\n  expected 0, got NaN\n  at total.test.ts:9\n  more\n  and more',
          ok: false,
          durationMs: 3400,
        },
        {
          ...call('3', 'writing', 'src/checkout/total.ts'),
          meta: { added: 2, removed: 1, diff: DIFF },
          output: 'written',
          ok: true,
          durationMs: 1,
        },
      ]) {
        sink.toolRequested(one)
        sink.toolCompleted(one)
      }
      for (const delta of ANSWER.match(/.{1,7}/gs) ?? []) sink.text(delta)
    },
  })
  shown.press('why does checkout fail on empty carts?', '\r')
  await shown.conversation.idle()
  await assertScreen(shown, 'conversation-100')
  // The highlighter comes when it is loaded; then the block is coloured.
  await shown.close()
})

test('a running call is one live line with a quiet clock, and unfolds to arguments and output', async () => {
  let finish = () => {}
  const running = new Promise<void>((resolve) => {
    finish = resolve
  })
  const shown = await openTestScreen({
    width: 80,
    height: 18,
    async script(sink) {
      const one = call('1', 'hacking', 'npm test', { command: 'npm test' })
      sink.toolRequested(one)
      sink.toolProgress?.('1', '12 of 40')
      await running
      sink.toolCompleted({
        ...one,
        ok: true,
        output: 'a line\nanother',
        durationMs: 3000,
        meta: { exitCode: 0 },
      })
    },
  })
  shown.press('test it\r')
  await shown.pass(3000)
  const live = (await shown.rows()).filter((row) => row.includes('hacking'))
  assert.match(live[0] ?? '', /◌ hacking {4}npm test .*12 of 40 {3}3 s/)
  assert.equal(live.length, 2, 'the line and the bar')
  finish()
  await shown.conversation.idle()
  assert.match(await shown.text(), /▸ hacking {4}npm test +exit 0 +3\.0 s/)
  assert.doesNotMatch(await shown.text(), /another/)
  shown.press('\x0f')
  assert.match(await shown.text(), /▾ hacking[\s\S]*command: npm test[\s\S]*a line[\s\S]*another/)
  shown.press('\x1b[1;3A', '\r')
  assert.doesNotMatch(await shown.text(), /another/, 'alt+up marks it, enter folds it')
  await shown.close()
})

test('reasoning is one dim line that unfolds', async () => {
  const shown = await openTestScreen({
    script: (sink) => {
      sink.reasoning('First I look around.')
      sink.text('Done.')
    },
  })
  shown.press('go\r')
  await shown.conversation.idle()
  assert.match(await shown.text(), /▸ thinking {3}\d/)
  assert.doesNotMatch(await shown.text(), /look around/)
  shown.press('\x0f')
  assert.match(await shown.text(), /▾ thinking[\s\S]*First I look around\./)
  await shown.close()
})

test('T12 Esc and Ctrl-C cancel the turn and amber stays; a second Ctrl-C leaves', async () => {
  for (const key of ['\x1b', '\x03']) {
    const shown = await openTestScreen({ script: (_sink, { signal }) => aborted(signal) })
    shown.press('think long\r')
    assert.match(await shown.text(), /thinking/)
    shown.press(key)
    await shown.conversation.idle()
    assert.match(await shown.text(), /cancelled/)
    assert.equal(shown.left(), 0)
    shown.press('\x03')
    if (key === '\x1b') shown.press('\x03')
    assert.equal(shown.left(), 1)
    await shown.close()
  }
})

test('messages typed while it works are queued, shown as such, and come back into the draft at a cancel', async () => {
  let turns = 0
  const shown = await openTestScreen({
    async script(_sink, { signal }) {
      turns += 1
      if (turns === 1) await aborted(signal)
    },
  })
  shown.press('first\r', 'second\r', 'third\r')
  assert.match(await shown.text(), /queued: second\n {2}queued: third/)
  shown.press('\x03')
  await shown.conversation.idle()
  assert.deepEqual(shown.prompts, ['first'])
  assert.equal(shown.conversation.editor.draft().text, 'second\nthird')
  shown.press('\r')
  await shown.conversation.idle()
  assert.deepEqual(shown.prompts, ['first', 'second\nthird'])
  await shown.close()
})

test('ten thousand lines scroll by lines and pages, and what streams in moves nothing that is read', async () => {
  let more = () => {}
  const shown = await openTestScreen({
    height: 20,
    async script(sink) {
      for (let at = 1; at <= 500; at += 1) {
        const one = call(String(at), 'reading', `file ${at}`)
        sink.toolRequested(one)
        sink.toolCompleted({ ...one, ok: true, output: '', durationMs: 1 })
      }
      sink.text(Array.from({ length: 9500 }, (_, at) => `line ${at + 1}`).join('\n\n'))
      await new Promise<void>((resolve) => {
        more = resolve
      })
      sink.text('\n\nthe very last')
    },
  })
  shown.press('go\r')
  assert.match(await shown.text(), /line 9500/)
  shown.press('\x1b[5~', '\x1b[5~')
  const before = (await shown.rows()).slice(0, 17)
  assert.match(before.join('\n'), /line 94\d\d/)
  assert.match(await shown.text(), /SCROLL/)
  more()
  await shown.conversation.idle()
  assert.deepEqual((await shown.rows()).slice(0, 17), before)
  shown.press('\x1b[A\x1b[A\x1b[A')
  assert.notDeepEqual((await shown.rows()).slice(0, 17), before, 'the wheel scrolls')
  shown.press('\x1b[1;2H')
  assert.match(await shown.text(), /❯ go/)
  shown.press('\x1b[1;2F')
  assert.match(await shown.text(), /the very last/)
  await shown.close()
})

test('G4 one line of a megabyte is drawn in less than 100 ms', async () => {
  const shown = await openTestScreen({
    script(sink) {
      const one = call('1', 'reading', 'big.json', { path: 'big.json' })
      sink.toolRequested(one)
      sink.toolCompleted({ ...one, ok: false, output: 'x漢'.repeat(500_000), durationMs: 1 })
    },
  })
  shown.press('go\r')
  await shown.conversation.idle()
  const before = process.cpuUsage()
  shown.press('\x0f')
  const { user } = process.cpuUsage(before)
  assert.ok(user < 100_000, `${user / 1000} ms`)
  const text = await shown.text()
  assert.match(text, /x漢x漢/)
  await shown.close()
})

test('a stored conversation is shown again as it reads', async () => {
  const shown = await openTestScreen({ width: 80, height: 16 })
  const messages = [
    { role: 'user', text: 'list it' },
    {
      role: 'assistant',
      text: '',
      reasoning: 'ls will do',
      toolCalls: [{ id: '1', name: 'bash', arguments: '{"command":"ls"}' }],
    },
    { role: 'tool', callId: '1', name: 'bash', ok: true, text: 'a.ts' },
    { role: 'assistant', text: 'There is **one**.', toolCalls: [] },
  ] as const
  const verbs = new Map([['bash', 'hacking']])
  for (const block of replayBlocks(messages, (tool) => verbs.get(tool)))
    shown.conversation.transcript.add(block)
  shown.screen.changed()
  assert.match(await shown.text(), /❯ list it\n\n {2}▸ thinking\n {2}▸ hacking {4}ls *\n\n {2}There is one\./)
  shown.press('\x0f')
  assert.match(await shown.text(), /command: ls[\s\S]*a\.ts/)
  await shown.close()
})

test('Ctrl-R finds what was typed before', async () => {
  const shown = await openTestScreen({ history: ['fix the cart', 'run the tests', 'explain total.ts'] })
  shown.press('\x12')
  assert.match(await shown.text(), /explain total\.ts[\s\S]*run the tests[\s\S]*fix the cart/)
  shown.press('c', 'a', 'r', 't', '\r')
  assert.equal(shown.conversation.editor.draft().text, 'fix the cart')
  await shown.close()
})
