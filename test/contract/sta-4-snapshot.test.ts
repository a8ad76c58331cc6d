import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StatusSnapshot } from '../../sdk/index.ts'
import { openTestScreen } from '../support/test-screen.ts'

test('STA-4 a segment is given every figure of the snapshot, and unknown ones are undefined, not absent', async () => {
  let seen: StatusSnapshot | undefined
  const render = (snapshot: StatusSnapshot) => {
    seen = snapshot
    return { text: 'x', tone: 'dim' as const }
  }
  const shown = await openTestScreen({
    snapshot: {
      statusSegments: [
        {
          name: 'seen',
          plugin: 'watcher',
          priority: 1,
          dropPriority: 0,
          edge: 'left',
          draw: (snapshot) => ({ kind: 'value', value: render(snapshot) }),
          render,
        },
      ],
    },
  })
  await shown.text()
  const { model, reasoningEffort, mode, now, ...rest } = seen ?? assert.fail('no segment was drawn')
  assert.deepEqual(
    [
      typeof model,
      typeof reasoningEffort,
      ['read', 'write', 'yolo'].includes(mode),
      now <= shown.clock.now(),
    ],
    ['string', 'string', true, true],
  )
  assert.deepEqual(rest, {
    windowIndex: 1,
    windowCount: 1,
    scrollMode: false,
    latencyMs: undefined,
    promptTokens: undefined,
    completionTokens: undefined,
    tps: undefined,
    runningJobs: 0,
    jobSecondsLeft: undefined,
    runningTool: '',
    mcpServers: [],
  })
  assert.throws(() => Object.assign(seen ?? {}, { model: 'mine' }), /read only/)
  await shown.close()
})
