import assert from 'node:assert/strict'
import test from 'node:test'
import type { PluginInfo } from '../../host/plugin/live-plugin.ts'
import type { InstalledPanel } from '../../host/registry/contribution.ts'
import { listPanel, registryConsole } from '../../host/tui/index.ts'
import { assertScreen, openTestScreen } from '../support/test-screen.ts'
import { until } from '../support/until.ts'

function panel(
  id: string,
  lines: (width: number) => readonly string[],
  keys: readonly string[] = [],
): InstalledPanel & { readonly seen: string[] } {
  const seen: string[] = []
  return {
    id,
    plugin: `plugin_${id}`,
    title: id,
    seen,
    lines: (width) => ({ kind: 'value', value: lines(width) }),
    onKey(key) {
      seen.push(key)
      return keys.includes(key)
    },
  }
}

const numbered = (count: number) => () => Array.from({ length: count }, (_, at) => `row ${at + 1}`)

test('PAN-1 the host owns frame and scrolling; the place survives keys, repaints and other panels', async () => {
  const [first, second] = [panel('first', numbered(50), ['r']), panel('second', () => ['漢'.repeat(100)])]
  const shown = await openTestScreen({
    width: 60,
    height: 12,
    snapshot: {
      panels: new Map([
        ['first', first],
        ['second', second],
      ]),
    },
  })
  shown.press('\x1b0')
  assert.match(await shown.text(), /first \(plugin_first\)[\s\S]*row 10/)
  shown.press('\x1b[B', '\x1b[B', 'r')
  assert.match((await shown.rows())[1] ?? '', /row 3/)
  shown.screen.changed()
  shown.press('\t')
  const wide = (await shown.rows())[1] ?? ''
  assert.match(wide, /^│ 漢+… +│$/, 'cut by columns')
  shown.press('\x1b[Z')
  assert.match((await shown.rows())[1] ?? '', /row 3/)
  shown.press('\x1b[F')
  assert.match(await shown.text(), /row 50/)
  shown.press('q')
  assert.match(await shown.text(), /\[shop\]/)
  await shown.close()
})

test('PAN-2 the panel has first refusal on keys, but Esc and Alt+0 never reach it', async () => {
  const greedy = panel('greedy', numbered(3), [
    'q',
    'tab',
    'ctrl+c',
    'up',
    'enter',
    'space',
    'x',
    'escape',
    'alt+0',
  ])
  const shown = await openTestScreen({ snapshot: { panels: new Map([['greedy', greedy]]) } })
  shown.press('\x1b0', 'q', '\t', '\x03', '\x1b[A', '\r', ' ', 'x')
  assert.deepEqual(greedy.seen, ['q', 'tab', 'ctrl+c', 'up', 'enter', 'space', 'x'])
  assert.ok(shown.screen.panels.isOpen())
  shown.press('\x1b0')
  assert.ok(!shown.screen.panels.isOpen())
  shown.press('\x1b0', '\x1b')
  await until(() => !shown.screen.panels.isOpen(), 'Esc closes the panel')
  assert.equal(greedy.seen.length, 7)
  await shown.close()
})

test('a panel that is swapped away closes, and one that throws says so', async () => {
  const broken: InstalledPanel = {
    ...panel('broken', () => []),
    lines: () => ({ kind: 'declined', why: 'no weather today' }),
  }
  const shown = await openTestScreen({ snapshot: { panels: new Map([['broken', broken]]) } })
  shown.press('\x1b0')
  assert.match(await shown.text(), /cannot be drawn: no weather today/)
  shown.setSnapshot({})
  assert.match(await shown.text(), /\[shop\]/)
  await shown.close()
})

function plugin(id: string, parts: Partial<PluginInfo> = {}): PluginInfo {
  return {
    id,
    name: id,
    version: '0.1.0',
    category: 'tools',
    source: 'bundled',
    path: `/plugins/${id}`,
    state: 'active',
    enabled: true,
    generation: 1,
    contributions: [{ plugin: id, kind: 'tool', name: id, generation: 1, status: 'installed' }],
    diagnostics: [],
    ...parts,
  }
}

test('PAN-3 the registry console shows every plugin, and toggles, reloads and explains', async () => {
  const done: string[] = []
  let list = [
    plugin('weather', {
      generation: 7,
      loadMs: 2.2,
      diagnostics: [
        {
          severity: 'error',
          code: 'AMB4001',
          file: '/plugins/weather/index.ts',
          line: 15,
          column: 5,
          path: '',
          message: 'expected ")" but found "}"',
        },
      ],
    }),
    plugin('hello', {
      category: 'examples',
      state: 'disabled',
      enabled: false,
      generation: 0,
      contributions: [],
    }),
    plugin('tool_task', {
      contributions: [
        {
          plugin: 'tool_task',
          kind: 'tool',
          name: 'task',
          generation: 1,
          status: 'declined',
          reason: 'no sub-agents in this run',
        },
      ],
    }),
  ]
  const plugins: NonNullable<Parameters<typeof openTestScreen>[0]>['plugins'] = {
    list: () => list,
    info: (id) => list.find((one) => one.id === id),
    async swap(id) {
      done.push(`reload ${id}`)
      return { kind: 'unchanged', plugin: id }
    },
    async enable(id) {
      done.push(`on ${id}`)
      list = list.map((one) => (one.id === id ? { ...one, enabled: true, state: 'active' } : one))
      return { kind: 'unchanged', plugin: id }
    },
    async disable(id) {
      done.push(`off ${id}`)
      return { kind: 'unchanged', plugin: id }
    },
  }
  let changed = () => {}
  let slow: Promise<void> = Promise.resolve()
  const shown = await openTestScreen({
    width: 100,
    height: 16,
    plugins,
    deps: {
      panels: [
        registryConsole({
          app: {
            plugins,
            snapshot: () => {
              throw new Error('unused')
            },
          },
          costs: { of: (id) => (id === 'weather' ? 96 : 0), total: () => 96, refresh() {} },
          async readManifest() {
            await slow
            return '{ "id": "hello" }'
          },
          drawErrors: async () => ['error over its line'],
          onChange: () => changed(),
        }),
      ],
    },
  })
  changed = () => shown.screen.changed()
  shown.press('\x1b0')
  await assertScreen(shown, 'console-100')
  shown.press(' ')
  assert.match(await shown.text(), /hello +on/)
  shown.press('m')
  assert.match(await shown.text(), /"id": "hello"/)
  let release = () => {}
  slow = new Promise<void>((resolve) => {
    release = resolve
  })
  shown.press('m', 'm', 'e')
  assert.match(await shown.text(), /error over its line/)
  release()
  assert.doesNotMatch(await shown.text(), /"id": "hello"/, 'what comes late is not shown for something else')
  shown.press('\x1b[B', '\x1b[B', 'r', 'e')
  assert.match(await shown.text(), /error over its line/)
  shown.press('/', 't', 'a', 's', 'k', '\r')
  const found = await shown.text()
  assert.match(found, /tool_task/)
  assert.doesNotMatch(found, /weather +on|error over its line/)
  assert.deepEqual(done, ['on hello', 'reload weather'])
  await shown.close()
})

test('a list panel finds by typing and hands over what is chosen', async () => {
  const chosen: string[] = []
  let changed = () => {}
  const items = ['gpt-4o', 'claude-sonnet', 'gemini-pro'].map((id) => ({
    id,
    left: id,
    right: '128k tokens',
  }))
  const shown = await openTestScreen({
    deps: {
      panels: [
        listPanel({
          id: 'models',
          title: 'models',
          verb: 'takes it',
          empty: 'none',
          load: async () => items,
          choose: (id) => chosen.push(id),
          onChange: () => changed(),
        }),
      ],
    },
  })
  changed = () => shown.screen.changed()
  shown.press('\x1b0')
  assert.match(await shown.text(), /gemini-pro +128k tokens/)
  shown.press('s', 'o', 'n')
  assert.doesNotMatch(await shown.text(), /gemini-pro/)
  shown.press('\r')
  assert.deepEqual(chosen, ['claude-sonnet'])
  await shown.close()
})
