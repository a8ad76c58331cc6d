import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callHandler, createTestPluginHost } from '../../test/support/plugin-host.ts'
import metrics from './index.ts'
import { continueTally, describeTally } from './tally.ts'

const TOOL = { id: '1', name: 'greet', plugin: 'hello', arguments: {} }

test('EVT-2 metrics counts turns, tool calls and time, and answers no event (it never intercepts)', async () => {
  const host = createTestPluginHost({ id: 'metrics' })
  const entry = await metrics.factory(host)
  const on = (name: string) => callHandler({ ...metrics, factory: () => entry }, host, ['events', name])
  assert.equal((await on('turn.started'))({ turn: 't', prompt: 'p' }), undefined)
  assert.equal((await on('tool.requested'))(TOOL), undefined)
  ;(await on('tool.requested'))({ ...TOOL, id: '2' })
  ;(await on('tool.completed'))({ ...TOOL, ok: true, durationMs: 400 })
  ;(await on('tool.completed'))({ ...TOOL, id: '2', ok: false, durationMs: 100 })
  ;(await on('turn.ended'))({ turn: 't', reason: 'done', durationMs: 1500, toolCalls: 2 })
  assert.deepEqual(host.logged, [
    '1 of 1 turns ended, 1.5 s in all; 2 of 2 tool calls completed, 1 failed, 0.5 s in all',
  ])
})

test('SWAP-5 metrics hands its numbers to its next version', async () => {
  const entry = await metrics.factory(
    createTestPluginHost({ id: 'metrics', handedOver: { turnsStarted: 6 } }),
  )
  const host = createTestPluginHost({ id: 'metrics' })
  const plugin = { ...metrics, factory: () => entry }
  ;(await callHandler(plugin, host, ['events', 'turn.started']))({ turn: 't', prompt: 'p' })
  const answer = await (await callHandler(plugin, host, ['dispose']))('reload')
  assert.ok(typeof answer === 'object' && answer !== null && 'handedOver' in answer)
  assert.equal(continueTally(answer.handedOver).turnsStarted, 7)
})

test('SWAP-5 metrics starts anew when what it is handed is no tally', () => {
  const fresh = describeTally(continueTally(undefined))
  for (const nonsense of [null, 'x', { turnsStarted: 'six', turnMs: Number.NaN }]) {
    assert.equal(describeTally(continueTally(nonsense)), fresh)
  }
})
