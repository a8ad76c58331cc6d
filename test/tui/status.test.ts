import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import type { InstalledStatusSegment } from '../../host/registry/contribution.ts'
import { UNICODE } from '../../host/tui/look/glyphs.ts'
import { widthOf } from '../../host/tui/look/text.ts'
import { createTheme } from '../../host/tui/look/theme.ts'
import { CORE_SEGMENTS, type CoreStatus } from '../../host/tui/status/core-segments.ts'
import { beatOf, statusBar } from '../../host/tui/status/status-bar.ts'
import type { StatusTone } from '../../sdk/index.ts'
import { openTestScreen } from '../support/test-screen.ts'

const STATUS: CoreStatus = {
  windowIndex: 1,
  windowCount: 2,
  model: 'gpt-4o',
  reasoningEffort: 'high',
  mode: 'write',
  scrollMode: false,
  latencyMs: 412,
  promptTokens: 12_400,
  completionTokens: 1100,
  tps: 58,
  runningJobs: 0,
  jobSecondsLeft: undefined,
  runningTool: '',
  mcpServers: [],
  now: 0,
  contextWindow: 40_000,
  account: { provider: 'openrouter', shows: 'balance', text: '$13.22', tone: 'dim', account: undefined },
  isBusy: false,
  isCancelling: false,
  waitingSeconds: 0,
  glyphs: UNICODE,
}
const theme = createTheme({ level: 16, isDark: true, isUnicode: true })

function segment(
  parts: Partial<InstalledStatusSegment> & { text: string; tone?: StatusTone },
): InstalledStatusSegment {
  const { text, tone = 'dim', ...rest } = parts
  return {
    name: 'one',
    plugin: 'plugin',
    priority: 1000,
    dropPriority: 0,
    edge: 'left',
    draw: () => ({ kind: 'value', value: { text, tone } }),
    render: () => ({ text, tone }),
    ...rest,
  }
}

const plain = (line: string) => line.replace(/\x1b\[[0-9;]*m/g, '')
const bar = (
  width: number,
  plugins: readonly InstalledStatusSegment[] = [],
  status: Partial<CoreStatus> = {},
) => plain(statusBar(plugins, { ...STATUS, ...status }, { width, theme }))

test('STA-2 the bar drops as declared when it gets narrower', () => {
  const clock = segment({ name: 'clock', text: '[17:42:08]', edge: 'right' })
  assert.deepEqual(
    [120, 96, 80, 48, 30, 12].map((width) => bar(width, [clock])),
    [
      '[1/2]   [gpt-4o high]   write   lag 412ms   58 t/s   ↑12k ↓1.1k   $13.22   ctx ▓▓░░░░░░ 31%                   [17:42:08]',
      '[1/2]   [gpt-4o high]   write   lag 412ms   58 t/s   ↑12k ↓1.1k   ctx ▓▓░░░░░░ 31%    [17:42:08]',
      '[1/2]   [gpt-4o high]   write   58 t/s   ctx ▓▓░░░░░░ 31%             [17:42:08]',
      '[1/2]   write   58 t/s                [17:42:08]',
      '[1/2]   write       [17:42:08]',
      '  [17:42:08]',
    ],
  )
})

test('STA-1 STA-2 any segments at any width from 1 to 300: never wider, in order, dropped as declared', () => {
  const texts = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('漢字', '💰 1', '❤️', 'é', '\x1b[31mred', ''),
  )
  const any = fc.record({
    text: texts,
    priority: fc.integer({ min: 0, max: 2000 }),
    dropPriority: fc.integer({ min: 0, max: 12 }),
    edge: fc.constantFrom<'left' | 'right'>('left', 'right'),
  })
  fc.assert(
    fc.property(fc.array(any, { maxLength: 8 }), fc.integer({ min: 1, max: 300 }), (parts, width) => {
      const segments = parts
        .map((part, at) => segment({ ...part, text: part.text === '' ? '' : `<${at}>`, name: `s${at}` }))
        .sort((a, b) => a.priority - b.priority)
      const raw = parts.map((part, at) => segment({ ...part, name: `r${at}` }))
      assert.ok(widthOf(statusBar(raw, STATUS, { width, theme })) <= width)
      const line = bar(width, segments)
      assert.ok(widthOf(line) <= width)
      const shown = (edge: string) =>
        segments
          .filter((one) => one.edge === edge && line.includes(one.render(STATUS_SNAPSHOT)?.text || '\n'))
          .map((one) => line.indexOf(one.render(STATUS_SNAPSHOT)?.text ?? ''))
      for (const edge of ['left', 'right']) {
        const places = shown(edge)
        assert.deepEqual(
          places,
          [...places].sort((a, b) => a - b),
        )
      }
      const isIn = (one: InstalledStatusSegment) => line.includes(one.render(STATUS_SNAPSHOT)?.text || '\n')
      const gone = segments.filter((one) => one.render(STATUS_SNAPSHOT)?.text !== '' && !isIn(one))
      const kept = segments.filter((one) => one.render(STATUS_SNAPSHOT)?.text !== '' && isIn(one))
      for (const out of gone) for (const stays of kept) assert.ok(out.dropPriority >= stays.dropPriority)
    }),
    { numRuns: 300 },
  )
})

const STATUS_SNAPSHOT = STATUS

test('bundled-plugins 7: lag, gauge and activity warn where they should; unknown numbers show a dash', () => {
  const tone = (name: string, status: Partial<CoreStatus>) =>
    CORE_SEGMENTS.find((one) => one.name === name)?.render({ ...STATUS, ...status }).tone
  assert.deepEqual(
    [900, 1001, 5001].map((latencyMs) => tone('lag', { latencyMs })),
    ['dim', 'warn', 'crit'],
  )
  assert.deepEqual(
    [0.59, 0.6, 0.86].map((share) => tone('context', { promptTokens: share * 1000, contextWindow: 1000 })),
    ['dim', 'warn', 'crit'],
  )
  const unknown = {
    latencyMs: undefined,
    tps: undefined,
    promptTokens: undefined,
    completionTokens: undefined,
  }
  assert.match(bar(120, [], { ...unknown, account: undefined }), /lag - {3}- t\/s {3}↑- ↓-$/)
  assert.match(
    bar(160, [], { runningTool: 'hacking', runningJobs: 2, jobSecondsLeft: 40 }),
    /hacking 2 jobs 40 s$/,
  )
  assert.match(bar(160, [], { isBusy: true, waitingSeconds: 7 }), /again in 7 s$/)
  assert.match(
    bar(200, [], {
      mcpServers: [
        { name: 'gh', connected: true, hasError: false },
        { name: 'db', connected: false, hasError: true },
      ],
    }),
    /mcp: gh·!db$/,
  )
  assert.deepEqual(
    [999, 1234, 12_400].map((promptTokens) => /↑(\S+)/.exec(bar(200, [], { promptTokens }))?.[1]),
    ['999', '1.2k', '12k'],
  )
})

test('the bar is drawn for the time alone only while a segment shows it', async () => {
  const clock = segment({ text: '' })
  const ticking = {
    ...clock,
    render: ({ now }: { readonly now: number }) => ({
      text: new Date(now).toISOString().slice(11, 19),
      tone: 'dim' as const,
    }),
  }
  assert.equal(beatOf([segment({ text: 'still' })], STATUS), undefined)
  assert.equal(beatOf([ticking], STATUS), 1000)
  const shown = await openTestScreen({ snapshot: { statusSegments: [ticking] } })
  assert.match(await shown.text(), /17:42:08/)
  await shown.pass(1000)
  assert.match(await shown.text(), /17:42:09/)
  const before = shown.bytes().length
  await shown.pass(1000)
  assert.ok(shown.bytes().length - before < 400, 'a second costs one row')
  shown.setSnapshot({})
  await shown.pass(2000)
  const still = shown.bytes()
  await shown.pass(60_000)
  assert.equal(shown.bytes(), still)
  await shown.close()
})
