import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { createReport, type DevEvent, findFolders, watchPlugins } from '../../devserver/index.ts'
import { systemClock } from '../../host/base/clock.ts'
import { atEnd } from '../support/at-end.ts'
import { createEar } from '../support/dev-server.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { answeringEntry, answeringPlugin, plainTool, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testApp } from '../support/test-app.ts'

test('SWAP-1 with --dev the plugins of the user and of --plugin are watched in the very process, and starting tells of no swap', async (t) => {
  const home = temporaryFolder(t)
  const given = answeringPlugin(temporaryFolder(t), 'given', 'one')
  const own = answeringPlugin(join(home, 'config', 'plugins'), 'own', 'one')
  const app = await testApp(t, { home, flags: [given.folder], bundled: true })
  const ear = createEar()
  const watch = await watchPlugins({ app, clock: systemClock, onEvent: ear.hear }, { given: [given.folder] })
  atEnd(t, () => watch.close())
  assert.deepEqual(ear.events, [])
  const call = async (tool: string) => (await app.callTool(tool, {}, {})).output
  for (const plugin of [given, own]) {
    plugin.write('index.ts', answeringEntry(plugin.id, 'two'))
    await ear.swap(plugin.id)
    assert.equal(await call(plugin.id), 'two')
  }
  answeringPlugin(join(home, 'config', 'plugins'), 'newcomer', 'hello')
  await ear.swap('newcomer')
  assert.equal(await call('newcomer'), 'hello')
})

test('SAFE-4 with --dev a plugin that a workspace brings is not taken in by being watched', async (t) => {
  const home = temporaryFolder(t)
  const foreign = answeringPlugin(join(home, '.amber', 'plugins'), 'foreign', 'one')
  const own = answeringPlugin(join(home, 'config', 'plugins'), 'own', 'one')
  const app = await testApp(t, { home, bundled: true })
  const ear = createEar()
  const watch = await watchPlugins({ app, clock: systemClock, onEvent: ear.hear }, { given: [] })
  atEnd(t, () => watch.close())
  foreign.write('index.ts', answeringEntry('foreign', 'two'))
  own.write('index.ts', answeringEntry('own', 'two'))
  await ear.swap('own')
  await watch.idle()
  assert.equal(app.plugins.info('foreign')?.state, 'discovered')
  assert.equal(app.snapshot().tools.has('foreign'), false)
})

test('DEV-1 the folders to watch are those given, else this one, else those of the workspace', (t) => {
  const home = temporaryFolder(t)
  const find = (given: readonly string[], cwd = home) => findFolders({ given, cwd, workspace: home })
  assert.throws(() => find([]), { code: 'configuration', message: /no plugin to watch/ })
  assert.throws(() => find(['nowhere']), { code: 'configuration', message: /no folder .*nowhere/ })
  const below = pluginFolder(home, 'below')
  below.manifest()
  assert.deepEqual(
    find([]).map((one) => [one.folder, one.isParent]),
    [[home, true]],
  )
  pluginFolder(join(home, '.amber', 'plugins'), 'kept').manifest()
  assert.deepEqual(
    find([]).map((one) => one.folder),
    [join(home, '.amber', 'plugins')],
  )
  assert.deepEqual(
    find([], below.folder).map((one) => [one.folder, one.isParent, one.source]),
    [[below.folder, false, 'flag']],
  )
  assert.equal(find(['below', './below', below.folder]).length, 1)
})

const phases = { validate: 0.2, types: 0, build: 2.1, load: 0.9, stage: 1.8, commit: 0.1 }

function reporting(color = false) {
  let text = ''
  const report = createReport({
    out: { isTTY: color, write: (more) => (text += more) },
    clock: createManualClock(new Date('2026-01-02T17:42:08').getTime()),
    generationOf: () => 7,
    cwd: '/home/ada',
    color,
    width: 100,
  })
  return { report, text: () => text }
}

test('DEV-1 the report has one aligned line a swap, a frame for each error, and the heading first', () => {
  const { report, text } = reporting()
  const swap: DevEvent = {
    type: 'swap',
    plugin: 'weather',
    generation: 7,
    changed: [
      { kind: 'tool', name: 'weather', change: 'changed' },
      { kind: 'statusSegment', name: 'warm', change: 'added' },
    ],
    phases,
    totalMs: 6.1,
  }
  report(swap)
  assert.equal(text(), '')
  report({ type: 'ready', url: 'http://127.0.0.1:7317/#token=x' })
  const diagnostic = {
    severity: 'error',
    code: 'AMB3001',
    file: '/home/ada/plugins/weather/index.ts',
    line: 15,
    column: 5,
    path: '',
    message: 'expected ")" but found "}"',
  } as const
  report({ type: 'rejected', plugin: 'weather', phase: 'build', diagnostics: [diagnostic] })
  report({ ...swap, generation: 8, changed: [], phases: { ...phases, build: 0, load: 0 }, totalMs: 1.4 })
  report({ type: 'removed', plugin: 'weather' })
  report({ type: 'warning', plugin: 'weather', message: 'two\nlines' })
  assert.equal(
    text(),
    `amber dev · 1 plugin · inspector http://127.0.0.1:7317/#token=x

17:42:08  weather   live  gen 6 → 7     code      ~tool:weather  +segment:warm                6.1 ms
          validate 0.2 · build 2.1 · load 0.9 · stage 1.8 · commit 0.1
17:42:08  weather   held  gen 7 answers     build
          error  expected ")" but found "}"                                                  AMB3001
             ┌ plugins/weather/index.ts:15:5
17:42:08  weather   live  gen 8         manifest  (mended)                                    1.4 ms
          validate 0.2 · stage 1.8 · commit 0.1
17:42:08  weather   gone  its folder is gone
17:42:08  weather   note  two lines
`,
  )
})

test('SAFE-5 nothing that a plugin says reaches the terminal’s controls, and colour is only where it is asked for', () => {
  for (const color of [false, true]) {
    const { report, text } = reporting(color)
    report({ type: 'ready', url: 'u' })
    const evil = '\x1b]0;owned\x07\x1b[2J\u202e\x9b31m'
    report({ type: 'warning', plugin: `p${evil}`, message: `m${evil}` })
    report({
      type: 'swap',
      plugin: 'p',
      generation: 2,
      changed: [{ kind: 'tool', name: evil, change: 'added' }],
      phases,
      totalMs: 1,
    })
    report({
      type: 'rejected',
      plugin: 'p',
      phase: 'load',
      diagnostics: [
        {
          severity: 'error',
          code: 'X',
          file: `/${evil}`,
          line: 1,
          column: 1,
          path: evil,
          message: evil,
          hint: evil,
        },
      ],
    })
    const rest = text().replaceAll(/\x1b\[\d+m/g, '')
    assert.doesNotMatch(rest, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/)
    assert.equal(text() !== rest, color)
  }
})

test('MAN-5 a plugin without types gets none, and one that comes with them keeps them in step', async (t) => {
  const { isTyped } = await import('../../host/plugin/author-files.ts')
  const folder = temporaryFolder(t)
  const plugin = pluginFolder(folder, 'plain')
  plugin.manifest({ entry: './index.js', capabilities: { tools: [plainTool('plain')] } })
  assert.equal(isTyped(plugin.folder, { entry: './index.js' }), false)
  assert.equal(isTyped(plugin.folder, { entry: undefined }), false)
  assert.equal(isTyped(plugin.folder, { entry: './index.mts' }), true)
  plugin.write('plugin.types.ts', 'old')
  assert.equal(isTyped(plugin.folder, { entry: './index.js' }), true)
})
