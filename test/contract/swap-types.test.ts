import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createReport, watchPlugins } from '../../devserver/index.ts'
import { systemClock } from '../../host/base/clock.ts'
import { atEnd } from '../support/at-end.ts'
import { createEar, type Heard, testDevServer } from '../support/dev-server.ts'
import { plainTool, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testApp } from '../support/test-app.ts'

const OPTIONS = {
  target: 'ES2022',
  module: 'ESNext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
  paths: { 'amber-agent/sdk': [fileURLToPath(new URL('../../sdk/index.ts', import.meta.url))] },
}

const ENTRY = `import { definePlugin } from 'amber-agent/sdk'
import type { Weather } from './plugin.types.ts'

const degrees: number = 21

export default definePlugin<Weather>(() => ({
  tools: { weather: { execute: () => ({ ok: true, output: String(degrees) }) } },
}))
`
const WRONG = ENTRY.replace('= 21', "= 'warm'")

/** A typed plugin as an author has it. */
function typedPlugin(parent: string) {
  const plugin = pluginFolder(parent, 'weather')
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('weather')] } })
  plugin.write('index.ts', ENTRY)
  plugin.write('tsconfig.json', JSON.stringify({ compilerOptions: OPTIONS, include: ['*.ts'] }))
  return plugin
}

async function stand(t: TestContext) {
  const parent = temporaryFolder(t)
  const plugin = typedPlugin(parent)
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  await dev.server.idle()
  assert.deepEqual(dev.events.slice(2), [], 'a sound plugin is told nothing of types')
  return { parent, plugin, dev }
}

const problemsOf = async ({ url, token }: { readonly url: string; readonly token: string }) => {
  const answer = await fetch(new URL('/api/problems', url), { headers: { 'x-amber-token': token } })
  return await answer.json()
}

const warning = async (heard: Pick<Heard, 'next'>) => {
  const event = await heard.next('type error', (one) => one.type === 'warning')
  assert.ok(event.type === 'warning' && event.diagnostic)
  return { ...event, diagnostic: event.diagnostic }
}
const mended = (heard: Pick<Heard, 'next'>) =>
  heard.next('mended types', (one) => one.type === 'types' && one.diagnostics.length === 0)

test('SWAP-2 a type error is a warning with place, frame and remedy, told once, and never holds a swap back', async (t) => {
  const { parent, plugin, dev } = await stand(t)
  plugin.write('index.ts', WRONG)
  const swap = await dev.swap('weather')
  assert.equal(swap.generation, 2)
  assert.equal(await dev.call('weather'), 'warm')
  const event = await warning(dev)
  const { severity, code, file, line, column, length, message, hint } = event.diagnostic
  assert.deepEqual([severity, code], ['warning', 'TS2322'])
  assert.deepEqual([file, line, column, length], [join(plugin.folder, 'index.ts'), 4, 7, 7])
  assert.match(message, /'string' is not assignable to type 'number'/)
  assert.match(hint ?? '', /make the value fit/)
  let text = ''
  const out = { isTTY: false, write: (part: string) => (text += part) }
  const report = createReport({
    out,
    clock: systemClock,
    generationOf: () => 2,
    cwd: parent,
    color: false,
    width: 160,
  })
  for (const one of [{ type: 'ready', url: '' } as const, event]) report(one)
  assert.match(
    text,
    /note {2}gen 2 answers +types\n +warning {2}Type .*TS2322\n +┌ weather\/index\.ts:4:7\n +4 │ const degrees: number = 'warm'\n +│ +\^{7}\n/,
  )
  // The inspector has it with its lines, beside no other problem.
  await dev.server.idle()
  const [problem, ...more] = await problemsOf(dev.server)
  assert.deepEqual([problem.severity, problem.plugin, more.length], ['warning', 'weather', 0])
  assert.match(problem.diagnostics[0].excerpt.lines.join('\n'), /const degrees: number = 'warm'/)
  // A further swap leaves it standing and says it no second time.
  const before = dev.events.length
  plugin.write('index.ts', WRONG.replaceAll('warm', 'cold'))
  await dev.swap('weather')
  await dev.server.idle()
  assert.deepEqual(
    dev.events.slice(before).map((one) => one.type),
    ['swap'],
  )
  assert.equal((await problemsOf(dev.server)).length, 1)
  plugin.write('index.ts', ENTRY)
  await mended(dev)
  assert.deepEqual(await problemsOf(dev.server), [])
})

test('SWAP-2 a type error that changes no code is told and mended, too, and moves with its line', async (t) => {
  const { plugin, dev } = await stand(t)
  plugin.write('kinds.ts', 'export interface Kind { readonly name: string }\n')
  plugin.write(
    'user.ts',
    "import type { Kind } from './kinds.ts'\nexport const nameOf = (one: Kind) => one.name\n",
  )
  await dev.server.idle()
  plugin.write('kinds.ts', 'export interface Kind { readonly title: string }\n')
  const { diagnostic } = await warning(dev)
  assert.deepEqual([diagnostic.code, diagnostic.line], ['TS2339', 2])
  plugin.write(
    'user.ts',
    "\n\nimport type { Kind } from './kinds.ts'\nexport const nameOf = (one: Kind) => one.name\n",
  )
  const moved = await dev.next(
    'moved type error',
    (one) => one.type === 'types' && one.diagnostics[0]?.line === 4,
  )
  assert.ok(moved.type === 'types')
  assert.equal((await problemsOf(dev.server))[0].diagnostics[0].line, 4)
  plugin.write('kinds.ts', 'export interface Kind { readonly name: string }\n')
  await mended(dev)
  assert.equal(dev.events.filter((one) => one.type === 'warning').length, 1, 'what moved is not told again')
  assert.equal(dev.events.filter((one) => one.type === 'swap').length, 1, 'and nothing was swapped for it')
})

test('MAN-4 a changed manifest writes the types before they are checked', async (t) => {
  const { plugin, dev } = await stand(t)
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  plugin.write(
    'index.ts',
    ENTRY.replace('execute: () =>', 'execute: ({ city }) => city.length < 0 ? { ok: false } :'),
  )
  const { diagnostic } = await warning(dev)
  assert.match(diagnostic.message, /city/)
  plugin.manifest({
    entry: './index.ts',
    capabilities: { tools: [{ ...plainTool('weather'), parameters }] },
  })
  await mended(dev)
})

test('SWAP-10 what a rejection tells already is not told again as a type error', async (t) => {
  const { plugin, dev } = await stand(t)
  const before = dev.events.length
  plugin.write('index.ts', `${ENTRY}const (`)
  await dev.rejected('weather')
  await dev.server.idle()
  assert.deepEqual(
    dev.events.slice(before).map((one) => one.type),
    ['rejected'],
  )
  plugin.write('index.ts', WRONG)
  await dev.swap('weather')
  await warning(dev)
  rmSync(plugin.folder, { recursive: true })
  await dev.next('removal', (one) => one.type === 'removed')
  await dev.server.idle()
  assert.deepEqual(await problemsOf(dev.server), [])
})

test('MAN-4 a schema that cannot be typed is a warning that stands until it is mended', async (t) => {
  const { plugin, dev } = await stand(t)
  const parameters = {
    type: 'object',
    properties: { a: { $ref: '#here' } },
    $defs: { x: { $anchor: 'here', type: 'string' } },
  }
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [{ ...plainTool('weather'), parameters }] } })
  const { diagnostic } = await warning(dev)
  assert.deepEqual([diagnostic.code, diagnostic.file], ['AMB2214', join(plugin.folder, 'plugin.json')])
  assert.equal((await problemsOf(dev.server)).length, 1)
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('weather')] } })
  await mended(dev)
})

test('SWAP-2 with --dev, a type error is told where the conversation is', async (t) => {
  const home = temporaryFolder(t)
  const plugin = typedPlugin(temporaryFolder(t))
  const app = await testApp(t, { home, flags: [plugin.folder] })
  const ear = createEar()
  const watch = await watchPlugins({ app, clock: systemClock, onEvent: ear.hear }, { given: [plugin.folder] })
  atEnd(t, () => watch.close())
  await watch.idle()
  plugin.write('index.ts', WRONG)
  await ear.swap('weather')
  assert.equal((await warning(ear)).diagnostic.line, 4)
})
