import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callHandler, createTestPluginHost } from '../../test/support/plugin-host.ts'
import clock from './index.ts'

test('STA-1 the clock shows the local time of the snapshot, dim', async () => {
  const render = await callHandler(clock, createTestPluginHost({ id: 'clock' }), ['statusSegments', 'clock'])
  const now = new Date(2024, 1, 29, 7, 5, 9).getTime()
  assert.deepEqual(render({ now }), { text: '[07:05:09]', tone: 'dim' })
  assert.deepEqual(render({ now: now + 1000 }), { text: '[07:05:10]', tone: 'dim' })
})

test('STA-3 the clock renders the same text for the same snapshot', async () => {
  const render = await callHandler(clock, createTestPluginHost({ id: 'clock' }), ['statusSegments', 'clock'])
  assert.deepEqual(render({ now: 0 }), render({ now: 0 }))
})
