import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createReport } from '../../devserver/index.ts'
import { systemClock } from '../../host/base/clock.ts'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import { runCommandLine } from '../support/command-line.ts'
import { testDevServer } from '../support/dev-server.ts'
import { answeringEntry, answeringPlugin, type PluginFolder, plainTool } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testApp } from '../support/test-app.ts'

const IMPORT = `import { definePlugin } from 'amber-agent/sdk'\n`
const TOOL = 'weather: { execute: () => ({ ok: true }) }'
const whole = (sections: string) => `${IMPORT}export default definePlugin<any>(() => ({\n  ${sections}\n}))\n`
const activating = (line: string) =>
  `${IMPORT}export default definePlugin<any>(() => {\n  ${line}\n  return { tools: { ${TOOL} } }\n})\n`
const declaring = (capabilities: Readonly<Record<string, unknown>>) => ({
  entry: './index.ts',
  capabilities: { tools: [plainTool('weather')], ...capabilities },
})

/** What is done to a good plugin, and what the author is told: code, place, what is wrong, what to do. */
interface Fault {
  readonly breakIt: (plugin: PluginFolder) => void
  readonly told: {
    readonly code: string
    readonly place: string
    readonly message: RegExp
    readonly hint: RegExp
  }
}

const told = (code: string, place: string, message: RegExp, hint: RegExp): Fault['told'] => ({
  code,
  place,
  message,
  hint,
})
const code = (text: string) => (plugin: PluginFolder) => plugin.write('index.ts', text)
const manifest = (change: Readonly<Record<string, unknown>>) => (plugin: PluginFolder) =>
  plugin.manifest(change)

/** Faults that can be seen without running anything. */
const OF_MANIFEST: Readonly<Record<string, Fault>> = {
  'no JSON': {
    breakIt: (plugin) => plugin.write('plugin.json', '{\n  "id": ,\n}'),
    told: told('AMB1003', 'plugin.json:2:9', /unexpected ,/, /a value/),
  },
  'a misspelt key': {
    breakIt: manifest({ ...declaring({}), versoin: '1' }),
    told: told(
      'AMB2104',
      'plugin.json:24:3',
      /unknown key "versoin", did you mean "version"/,
      /manifest may say/,
    ),
  },
  'a wrong type': {
    breakIt: manifest({ ...declaring({}), activationTimeoutMs: 'fast' }),
    told: told('AMB2101', 'plugin.json:24:26', /must be an integer/, /milliseconds/),
  },
  'another amber': {
    breakIt: manifest({ ...declaring({}), engines: { amber: '>=99' } }),
    told: told('AMB2203', 'plugin.json:8:14', />=99, this is amber/, /update amber/),
  },
  'what is no extension point': {
    breakIt: manifest({ ...declaring({}), settings: {} }),
    told: told('AMB2108', 'plugin.json:24:3', /not an extension point/, /remove the key/),
  },
  'a file that is not there': {
    breakIt: manifest(declaring({ promptBlocks: [{ name: 'notes', file: 'gone.md' }] })),
    told: told('AMB2213', 'plugin.json:26:17', /"gone\.md" is not there/, /create it/),
  },
  'an entry that is not there': {
    breakIt: manifest({ ...declaring({}), entry: './gone.ts' }),
    told: told('AMB2213', 'plugin.json:10:12', /gone\.ts/, /correct the path/),
  },
}

/** Faults of the code, and of code and manifest together. */
const OF_CODE: Readonly<Record<string, Fault>> = {
  'a syntax error': {
    breakIt: code(`${IMPORT}export default definePlugin<any>(() => ({\n`),
    told: told('AMB3001', 'index.ts:3:1', /end of file/, /mend this line/),
  },
  'an import that leads nowhere': {
    breakIt: code(`import './nowhere.ts'\n${answeringEntry('weather', 'x')}`),
    told: told('AMB3001', 'index.ts:1:8', /Could not resolve "\.\/nowhere\.ts"/, /create the file/),
  },
  'a package that is not installed': {
    breakIt: code(`import '@acme/rain/drops'\n${answeringEntry('weather', 'x')}`),
    told: told('AMB3001', 'index.ts:1:8', /@acme\/rain/, /npm install @acme\/rain(?!\/)/),
  },
  'top-level await': {
    breakIt: code(`${answeringEntry('weather', 'x')}await 1\n`),
    told: told('AMB3001', 'index.ts:5:1', /[Tt]op-level await/, /async and await there/),
  },
  'no plugin exported': {
    breakIt: code('export const weather = 1\n'),
    told: told('AMB4001', 'index.ts:1:1', /exports no plugin/, /default export/),
  },
  'a throw while it loads': {
    breakIt: code(`${answeringEntry('weather', 'x')}throw new Error('not today')\n`),
    told: told('AMB4001', 'index.ts:5:7', /load: not today/, /definePlugin/),
  },
  'a throw while it starts': {
    breakIt: code(activating("throw new Error('not here')")),
    told: told('AMB4001', 'index.ts:3:9', /activation: not here/, /decline/),
  },
  'an end of the process': {
    breakIt: code(activating('process.exit(3)')),
    told: told('AMB4001', 'index.ts:3:11', /cannot end amber/, /decline/),
  },
  'a start that never ends': {
    breakIt(plugin) {
      plugin.manifest({ ...declaring({}), activationTimeoutMs: 50 })
      plugin.write('index.ts', `${IMPORT}export default definePlugin<any>(() => new Promise(() => {}))\n`)
    },
    told: told('AMB4001', 'index.ts:1:1', /did not finish within 50 ms/, /activationTimeoutMs/),
  },
  'a handler too few': {
    breakIt: code(whole('tools: {},')),
    told: told('AMB3003', 'plugin.json:14:17', /tools\.weather is declared .* no handler/, /add it/),
  },
  'a handler too many': {
    breakIt: code(whole(`tools: { ${TOOL}, wether: { execute: () => ({ ok: true }) } },`)),
    told: told('AMB3003', 'index.ts:3:56', /tools\.wether has a handler/, /did you mean weather/),
  },
  'a handler too many in a file that the entry takes it from': {
    breakIt(plugin) {
      plugin.manifest(declaring({ panels: [{ id: 'drops', title: 'Drops' }] }))
      const lines = '{ lines: () => [] }'
      plugin.write(
        'rain.ts',
        `// 'pool':\nexport const panels = {\n  drops: ${lines},\n  'pool': ${lines},\n}\n`,
      )
      plugin.write('index.ts', `import { panels } from './rain.ts'\n${whole(`tools: { ${TOOL} }, panels,`)}`)
    },
    told: told('AMB3003', 'rain.ts:4:3', /panels\.pool has a handler/, /declare it/),
  },
  'a handler too many of a command': {
    breakIt(plugin) {
      plugin.manifest(
        declaring({ commands: [{ root: 'rain', help: 'Rain', children: { now: { help: 'Now' } } }] }),
      )
      const commands = "commands: { rain: {\n    now: () => '',\n    'set.units': () => '',\n  } }"
      plugin.write('index.ts', whole(`tools: { ${TOOL} },\n  ${commands},`))
    },
    told: told('AMB3003', 'index.ts:6:5', /commands\.rain\['set\.units'\] has a handler/, /declare it/),
  },
  'a handler that is none': {
    breakIt: code(whole('tools: { weather: 5 },')),
    told: told(
      'AMB3003',
      'plugin.json:14:17',
      /must be an object with execute\(\), but is a number/,
      /add it/,
    ),
  },
  'approval that nobody decides': {
    breakIt: manifest({
      entry: './index.ts',
      capabilities: { tools: [{ ...plainTool('weather'), approval: 'dynamic' }] },
    }),
    told: told('AMB3003', 'plugin.json:14:17', /lacks requiresApproval\(\)/, /add it/),
  },
  'events of a lazy plugin': {
    breakIt: code(whole(`tools: { ${TOOL} }, events: { 'turn.ended': () => {} },`)),
    told: told('AMB3003', 'index.ts:3:58', /activated lazily/, /"activation": "startup"/),
  },
  'a name that another plugin holds': {
    breakIt(plugin) {
      plugin.manifest(declaring({ tools: [plainTool('weather'), plainTool('holder')] }))
      plugin.write('index.ts', whole(`tools: { ${TOOL}, holder: { execute: () => ({ ok: true }) } },`))
    },
    told: told(
      'AMB3004',
      'plugin.json:23:17',
      /"holder" belongs to plugin holder/,
      /amber plugin off holder/,
    ),
  },
  'a segment that throws': {
    breakIt(plugin) {
      plugin.manifest(declaring({ statusSegments: [{ name: 'sky' }] }))
      const segment = "statusSegments: { sky: () => { throw new Error('cannot draw') } }"
      plugin.write('index.ts', whole(`tools: { ${TOOL} },\n  ${segment},`))
    },
    told: told('AMB4001', 'index.ts:4:40', /status segment sky: cannot draw/, /rendering must not fail/),
  },
}

/** A dev server in which `weather` is good and another plugin holds the name `holder`. */
async function stand(t: TestContext) {
  const parent = temporaryFolder(t)
  const plugin = answeringPlugin(parent, 'weather', 'sunny')
  const holder = answeringPlugin(parent, 'holder', 'mine')
  const dev = await testDevServer(t, { folders: [holder.folder, plugin.folder] })
  return { parent, plugin, dev }
}

function assertTold(one: Diagnostic | undefined, { told: wanted }: Fault, folder: string): void {
  assert.ok(one)
  const { severity, file, line, column, message, hint } = one
  assert.equal(`${file}:${line}:${column}`, `${folder}/${wanted.place}`, message)
  assert.deepEqual([severity, one.code], ['error', wanted.code])
  assert.match(message, wanted.message)
  assert.match(hint ?? '', wanted.hint)
}

/** What `amber dev` writes for people of an event. */
function drawn(event: Parameters<ReturnType<typeof createReport>>[0], cwd: string): string {
  let text = ''
  const report = createReport({
    out: { isTTY: false, write: (part) => (text += part) },
    clock: systemClock,
    generationOf: () => 1,
    cwd,
    color: false,
    width: 300,
  })
  report({ type: 'ready', url: '' })
  report(event)
  return text
}

for (const [what, fault] of Object.entries({ ...OF_MANIFEST, ...OF_CODE })) {
  test(`SWAP-10 ${what}: told once, at the author’s line, with a frame and a remedy, alike everywhere`, async (t) => {
    const { parent, plugin, dev } = await stand(t)
    const before = dev.events.length
    fault.breakIt(plugin)
    const event = await dev.rejected('weather')
    await dev.server.idle()
    assert.equal(event.diagnostics.length, 1)
    assertTold(event.diagnostics[0], fault, plugin.folder)
    // Once: neither the interface nor the terminal hears of it by another way.
    assert.deepEqual(dev.events.slice(before), [event])
    assert.deepEqual(dev.app.plugins.info('weather')?.diagnostics, event.diagnostics)
    const text = drawn(event, parent)
    const place = `weather/${fault.told.place}`
    assert.equal(text.split(place).length, 2, text)
    assert.match(text, /gen 1 answers/)
    assert.match(text, new RegExp(`${fault.told.place.split(':')[1]} │ `), 'the line itself is shown')
    assert.match(text, fault.told.hint)
    assert.equal(await dev.call('weather'), 'sunny')
  })
}

for (const [what, fault] of Object.entries(OF_MANIFEST)) {
  test(`MAN-1 ${what}: amber plugin validate says the same, without running anything`, async (t) => {
    const plugin = answeringPlugin(temporaryFolder(t), 'weather', 'sunny')
    fault.breakIt(plugin)
    const home = temporaryFolder(t)
    const { code: exit, out } = await runCommandLine(['plugin', 'validate', plugin.folder, '--json'], {
      home,
    })
    const [result] = JSON.parse(out)
    assert.deepEqual([exit, result.ok, result.diagnostics.length], [1, false, 1])
    assertTold(result.diagnostics[0], fault, plugin.folder)
    const people = await runCommandLine(['plugin', 'validate', plugin.folder], { home })
    assert.match(people.out, fault.told.message)
    assert.match(people.out, /│ /)
    assert.match(people.out, fault.told.hint)
  })
}

test('SWAP-10 a fault in dispose is a warning with its place: the new version is live already', async (t) => {
  const { plugin, dev } = await stand(t)
  plugin.write(
    'index.ts',
    whole(`tools: { ${TOOL} },\n  dispose: () => { throw new Error('cannot let go') },`),
  )
  await dev.swap('weather')
  plugin.write('index.ts', answeringEntry('weather', 'new'))
  await dev.swap('weather')
  const event = await dev.next('warning', (one) => one.type === 'warning')
  assert.ok(event.type === 'warning' && event.diagnostic)
  assert.equal(`${event.diagnostic.line} ${event.diagnostic.file}`, `4 ${join(plugin.folder, 'index.ts')}`)
  assert.match(
    event.message,
    /index\.ts:4:\d+ plugin weather: dispose: cannot let go \(dispose must not fail/,
  )
  assert.equal(await dev.call('weather'), 'new')
})

test('SWAP-10 mended, a fault is gone everywhere', async (t) => {
  const { plugin, dev } = await stand(t)
  plugin.write('index.ts', 'export default definePlugin(')
  await dev.rejected('weather')
  plugin.write('index.ts', answeringEntry('weather', 'mended'))
  await dev.swap('weather')
  assert.deepEqual(dev.app.plugins.info('weather')?.diagnostics, [])
  assert.equal(await dev.call('weather'), 'mended')
})

test('LED-6 a name that is taken at start-up is told at the line that declares it', async (t) => {
  const home = temporaryFolder(t)
  const installed = join(home, 'config', 'plugins')
  const first = answeringPlugin(installed, 'first', 'x')
  const second = answeringPlugin(installed, 'second', 'x')
  second.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('own'), plainTool('first')] } })
  const { out } = await runCommandLine(['plugin', 'info', 'second'], { home })
  assert.match(out, /second\/plugin\.json:23:17[\s\S]*23 │ +"name": "first"/)
  rmSync(first.folder, { recursive: true })
})

test('SWAP-10 what a first call finds out about the code stands at its line, too', async (t) => {
  const home = temporaryFolder(t)
  const late = answeringPlugin(join(home, 'config', 'plugins'), 'late', 'here')
  late.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('late'), plainTool('absent')] } })
  const tool = "late: { execute: () => ({ ok: true, output: 'here' }) }"
  late.write('index.ts', whole(`tools: { ${tool}, later: { execute: () => ({ ok: true }) } },`))
  const app = await testApp(t, { home, bundled: true })
  const told: string[] = []
  const both = new Promise<void>((resolve) => {
    app.onDiagnostic((_, { file, line, column }) => {
      if (told.push(`${file}:${line}:${column}`) === 2) resolve()
    })
  })
  assert.equal((await app.callTool('late', {}, {})).output, 'here')
  await both
  assert.deepEqual(told, [`${late.folder}/index.ts:3:69`, `${late.folder}/plugin.json:23:17`])
  const places = app.plugins
    .info('late')
    ?.diagnostics.map(({ file, line, column }) => `${file}:${line}:${column}`)
  assert.deepEqual(places, told)
})
