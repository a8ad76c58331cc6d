import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { foldText } from '../../host/cli/fold-text.ts'
import { textWidth } from '../../manifests/display-width.ts'
import { runCommandLine, startCommandLine } from '../support/command-line.ts'
import { startUserPlugins, testHost } from '../support/host.ts'
import { plainTool, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

for (const action of ['test', 'models', 'use', 'remove']) {
  test(`CLI-1 provider ${action} of a name that is nobody’s is 1, like any absent thing`, async (t) => {
    const { code, err } = await runCommandLine(['provider', action, 'nope'], { home: temporaryFolder(t) })
    assert.equal(code, 1, err)
    assert.match(err, /There is no provider nope/)
  })
}

test('CLI-1 provider test --json tells an absent name in its object, and is 1', async (t) => {
  const argv = ['provider', 'test', 'nope', '--json']
  const { code, out } = await runCommandLine(argv, { home: temporaryFolder(t) })
  assert.equal(code, 1)
  assert.equal(JSON.parse(out).ok, false)
})

test('CLI-1 lines are broken at words, whatever the width', () => {
  const text =
    'This is a rehearsal, not a model: it answers by rule.\n  indented words stay where they begin 日本語 日本語'
  for (let columns = 12; columns < 80; columns += 7) {
    const folded = foldText(text, columns)
    for (const line of folded.split('\n')) assert.ok(textWidth(line) <= columns, line)
    assert.deepEqual(folded.split(/\s+/), text.split(/\s+/))
  }
  assert.equal(foldText(text, undefined), text)
})

test('CLI-1 the plain conversation breaks its notices at words', async (t) => {
  const home = temporaryFolder(t)
  const chat = startCommandLine(['--no-session', '--plain'], { home, terminal: true, stdin: 'terminal' })
  const { terminal } = chat.io
  assert.ok(terminal)
  Object.assign(terminal.output, { columns: 30 })
  await chat.sees('> ')
  chat.types('\u0003')
  await chat.code
  const said = chat.io.stdout().split('\u001b', 1)[0] ?? ''
  for (const line of said.split('\n')) assert.ok(textWidth(line) <= 30, line)
})

test('SWAP-10 an external package that is made for import alone says what to do', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'p_esm')
  plugin.manifest({
    entry: './index.js',
    external: ['only-esm'],
    capabilities: { tools: [plainTool('esm')] },
  })
  plugin.write(
    'index.js',
    "import x from 'only-esm'\nexport default { amber: 'plugin', factory: () => ({ tools: { esm: { execute: () => ({ ok: true, output: x }) } } }) }\n",
  )
  const folder = join(plugin.folder, 'node_modules', 'only-esm')
  mkdirSync(folder, { recursive: true })
  const only = { name: 'only-esm', type: 'module', exports: { import: './index.js' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(only))
  writeFileSync(join(folder, 'index.js'), "export default 'x'\n")
  await startUserPlugins(host)
  const result = await host.plugins.swap('p_esm', { fresh: true })
  assert.equal(result.kind, 'rejected')
  const [found] = result.kind === 'rejected' ? result.diagnostics : []
  assert.match(found?.hint ?? '', /take it out of "external"/)
})
