import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCircleDetector } from '../../host/agent/detector.ts'
import { createAgentFixture } from '../support/agent-fixture.ts'
import { handMadeTool, toolMap } from '../support/hand-made.ts'

const call = (name: string, ok = true) => ({ name, arguments: '{}', ok })

test('bundled-plugins 6: the same batch three times steers once, then stops with the reason', () => {
  const detect = createCircleDetector()
  const round = { text: '', calls: [call('read'), call('search')] }
  assert.deepEqual(
    [1, 2, 3, 4].map(() => detect(round).kind),
    ['go', 'go', 'steer', 'stop'],
  )
})

test('bundled-plugins 6: the same failing batch three times is a circle, whatever stood between', () => {
  const detect = createCircleDetector()
  const failing = { text: '', calls: [call('build', false)] }
  const other = (at: number) => ({ text: '', calls: [{ name: 'read', arguments: String(at), ok: true }] })
  const verdicts = [failing, other(1), failing, other(2), failing].map((round) => detect(round))
  assert.deepEqual(
    verdicts.map(({ kind }) => kind),
    ['go', 'go', 'go', 'go', 'steer'],
  )
  const last = verdicts.at(-1)
  assert.match(last?.kind === 'steer' ? last.message : '', /the same failing calls were made 3 times/)
})

test('bundled-plugins 6: the same text beside different calls three times is a circle', () => {
  const detect = createCircleDetector()
  const round = (at: number) => ({
    text: 'Let me look again.',
    calls: [{ name: 'read', arguments: String(at), ok: true }],
  })
  assert.deepEqual(
    [1, 2, 3].map((at) => detect(round(at)).kind),
    ['go', 'go', 'steer'],
  )
})

test('bundled-plugins 6: each detector can be switched off by itself', () => {
  const same = { text: 'again', calls: [call('read')] }
  const kinds = (options: Parameters<typeof createCircleDetector>[0]) => {
    const detect = createCircleDetector(options)
    return [1, 2, 3].map(() => detect(same).kind)
  }
  assert.deepEqual(kinds({ loop: false, duplicate: false }), ['go', 'go', 'go'])
  assert.equal(kinds({ loop: false }).at(-1), 'steer')
  assert.equal(kinds({ duplicate: false }).at(-1), 'steer')
})

test('bundled-plugins 6: different calls and texts are no circle, however many', () => {
  const detect = createCircleDetector()
  for (let at = 0; at < 50; at++) {
    const round = { text: `step ${at}`, calls: [{ name: 'read', arguments: String(at), ok: at % 3 > 0 }] }
    assert.equal(detect(round).kind, 'go')
  }
})

test('TOOL-4 arguments that are no JSON come back with what to mend, and the turn goes on', async () => {
  const ran: unknown[] = []
  const fixture = createAgentFixture({
    steps: [{ calls: [['read', '{"path": "a"']] }, { calls: [['read', '{"path": "a"}']] }, { text: 'done' }],
    snapshot: {
      tools: toolMap(
        handMadeTool('read', (args) => {
          ran.push(args)
          return { ok: true }
        }),
      ),
    },
  })
  const result = await fixture.turn()
  assert.equal(result.text, 'done')
  assert.deepEqual(ran, [{ path: 'a' }])
  const told = fixture.agent.messages().find(({ role }) => role === 'tool')
  assert.match(told?.text ?? '', /JSON/)
})

test('interfaces 2: a turn whose time is up stops its call, keeps what was said and says why', async () => {
  const fixture = createAgentFixture({
    steps: [{ text: 'I look.', calls: [['slow', {}]] }],
    snapshot: {
      tools: toolMap(
        handMadeTool('slow', (_args, { signal }) => {
          fixture.clock.advance(5_000)
          assert.equal(signal.aborted, true)
          return { ok: false, error: 'stopped' }
        }),
      ),
    },
    settings: { maxTurnMs: 5_000 },
  })
  const result = await fixture.turn()
  assert.equal(result.finishReason, 'timeout')
  assert.equal(result.text, 'I look.')
  assert.deepEqual(
    result.errors.map(({ kind, message }) => [kind, message]),
    [['limit', 'The turn used up its 5 s.']],
  )
  assert.equal(fixture.clock.pending(), 0)
})

test('interfaces 2: a turn in time leaves no timer behind', async () => {
  const fixture = createAgentFixture({ steps: [{ text: 'ok' }], settings: { maxTurnMs: 5_000 } })
  assert.equal((await fixture.turn()).finishReason, 'stop')
  assert.equal(fixture.clock.pending(), 0)
})

test('bundled-plugins 6: an empty final text stays empty, and a notice says why', async () => {
  const empty = createAgentFixture({ steps: [{ text: '' }] })
  const result = await empty.turn()
  assert.equal(result.text, '')
  assert.equal(empty.client.requests.length, 2, 'asked again once')
  assert.match(empty.sink.notices.join(), /answered nothing, twice/)
  const refused = createAgentFixture({ steps: [{ text: '', refusal: 'I will not.' }] })
  assert.equal((await refused.turn()).text, '')
  assert.match(refused.sink.notices.join(), /refused: I will not\./)
})

test('bundled-plugins 6: images go with the prompt, and stay with it', async () => {
  const fixture = createAgentFixture({ steps: [{ text: 'a cat' }] })
  const images = [{ mimeType: 'image/png', base64: 'aGk=' }]
  await fixture.agent.turn('what is it?', {
    signal: new AbortController().signal,
    sink: fixture.sink,
    images,
  })
  const sent = fixture.client.requests[0]?.messages.at(-1)
  assert.deepEqual(sent, { role: 'user', text: 'what is it?', images })
})

test('the newest turn can be taken back, from the user’s words on', async () => {
  const fixture = createAgentFixture({ steps: [{ text: 'one' }, { text: 'two' }] })
  await fixture.turn('first')
  await fixture.turn('second')
  assert.equal(fixture.agent.rewind(), 2)
  assert.deepEqual(
    fixture.agent.messages().map(({ text }) => text),
    ['first', 'one'],
  )
})
