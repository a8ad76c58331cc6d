import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Finished, startAmber } from '../support/amber-process.ts'
import { answeringPlugin, plainManifest, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Stand {
  readonly home: string
  /** Where the user's plugins are. */
  readonly plugins: string
  amber(...argv: readonly string[]): Promise<Finished>
  /** The parsed output of a command that must succeed. */
  json(...argv: readonly string[]): Promise<unknown>
}

function stand(t: TestContext): Stand {
  const home = temporaryFolder(t)
  const amber = (...argv: readonly string[]) => startAmber(argv, { home }).finished
  return {
    home,
    plugins: join(home, 'config', 'plugins'),
    amber,
    async json(...argv) {
      const { code, out, err } = await amber(...argv, '--json')
      assert.equal(code, 0, err)
      return JSON.parse(out)
    },
  }
}

/** A plugin whose code leaves a trace when it is loaded. */
function tracingPlugin(at: Stand, id: string) {
  const plugin = answeringPlugin(at.plugins, id, 'traced')
  const trace = join(at.home, `${id} was loaded`)
  const entry = readFileSync(join(plugin.folder, 'index.ts'), 'utf8')
  plugin.write(
    'index.ts',
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(trace)}, '')\n${entry}`,
  )
  return { plugin, wasLoaded: () => existsSync(trace), forget: () => rmSync(trace, { force: true }) }
}

test('MAN-3 plugin list and info load no plugin code', async (t) => {
  const at = stand(t)
  const traced = tracingPlugin(at, 'traced')
  traced.plugin.manifest({
    ...JSON.parse(readFileSync(join(traced.plugin.folder, 'plugin.json'), 'utf8')),
    activation: 'startup',
  })
  assert.equal((await at.amber('plugin', 'list')).code, 0)
  assert.equal((await at.amber('plugin', 'info', 'traced')).code, 0)
  assert.equal(traced.wasLoaded(), false)
  assert.equal((await at.amber('plugin', 'reload', 'traced')).code, 0)
  assert.equal(traced.wasLoaded(), true)
})

test('CLI-1 plugin list --json and info --json have their shapes', async (t) => {
  const at = stand(t)
  const { folder } = answeringPlugin(at.plugins, 'answers', 'yes')
  pluginFolder(at.plugins, 'broken').write('plugin.json', '{}')
  const list = await at.json('plugin', 'list')
  assert.ok(Array.isArray(list))
  const answers = {
    id: 'answers',
    name: 'answers',
    version: '0.1.0',
    category: 'other',
    source: 'user',
    path: folder,
    state: 'active',
    enabled: true,
  }
  assert.deepEqual(
    list.find((one) => one.id === 'answers'),
    answers,
  )
  assert.equal(list.find((one) => one.id === 'hello').source, 'bundled')
  const broken = list.find((one) => one.id === 'broken')
  assert.equal(broken.state, 'invalid')
  assert.equal(typeof broken.reason, 'string')
  assert.deepEqual(await at.json('plugin', 'info', 'answers'), {
    ...answers,
    contributions: [{ kind: 'tool', name: 'answers', generation: 1, status: 'installed' }],
  })
})

test('CLI-1 plugin list is an aligned table, plain where nobody watches', async (t) => {
  const { out } = await stand(t).amber('plugin', 'list')
  const lines = out.trimEnd().split('\n')
  const columns = new Set(lines.map((line) => line.search(/\bbundled\b/)))
  assert.equal(columns.size, 1, out)
  assert.doesNotMatch(out, /\x1b/)
})

test('CLI-1 an unknown id is exit 1 and names the nearest', async (t) => {
  const at = stand(t)
  for (const action of ['info', 'on', 'off', 'reload']) {
    const { code, out, err } = await at.amber('plugin', action, 'helo')
    assert.deepEqual(
      [code, out, err],
      [1, '', 'error: There is no plugin helo.\nDid you mean hello?\n'],
      action,
    )
  }
  assert.equal((await at.amber('plugin', 'lits')).code, 2)
})

test('LED-8 off and on are remembered for the next amber', async (t) => {
  const at = stand(t)
  const stateOf = async () => {
    const found = await at.json('plugin', 'info', 'hello')
    assert.ok(typeof found === 'object' && found !== null && 'state' in found)
    return found.state
  }
  assert.equal((await at.amber('plugin', 'off', 'hello')).code, 0)
  assert.equal(await stateOf(), 'disabled')
  const refused = await at.amber('command', 'hello', 'greet')
  assert.equal(refused.code, 1)
  assert.match(refused.err, /switched off[\s\S]*amber plugin on hello/)
  const reloaded = await at.amber('plugin', 'reload', 'hello')
  assert.equal(reloaded.code, 1)
  assert.match(reloaded.err, /amber plugin on hello/)
  assert.equal((await at.amber('plugin', 'on', 'hello')).code, 0)
  assert.equal(await stateOf(), 'active')
  assert.equal((await at.amber('command', 'hello', 'greet')).out, 'Hello, world!\n')
})

test('LED-8 switching a broken plugin on says what is wrong with it', async (t) => {
  const at = stand(t)
  const plugin = answeringPlugin(at.plugins, 'broken', 'yes')
  await at.amber('plugin', 'off', 'broken')
  plugin.write('index.ts', 'export default nothing()\n')
  const { code, err } = await at.amber('plugin', 'on', 'broken')
  assert.equal(code, 1)
  assert.match(err, /broken\/index\.ts:1:\d+/)
})

test('L13 reload builds and loads what is there now, and keeps the build', async (t) => {
  const at = stand(t)
  const traced = tracingPlugin(at, 'traced')
  const { code, out } = await at.amber('plugin', 'reload', 'traced')
  assert.equal(code, 0)
  assert.match(out, /loads\.\n {2}tool {2}traced {2}installed\n/)
  assert.ok(existsSync(join(at.home, 'cache', 'builds')))
  traced.plugin.write('index.ts', 'export default {')
  const broken = await at.amber('plugin', 'reload', 'traced')
  assert.equal(broken.code, 1)
  assert.match(broken.err, /traced\/index\.ts:1:\d+[\s\S]*was not reloaded/)
})

test('MAN-1 plugin validate reports every mistake over its line, exit 1; --json has its shape', async (t) => {
  const at = stand(t)
  const good = pluginFolder(at.home, 'good')
  good.manifest()
  const bad = pluginFolder(at.home, 'bad')
  const { version: _, ...rest } = plainManifest('bad')
  writeFileSync(join(at.home, 'note'), '')
  bad.write('plugin.json', JSON.stringify({ ...rest, versoin: '0.1.0', entry: './gone.ts' }, undefined, 2))
  assert.equal((await at.amber('plugin', 'validate', good.folder)).code, 0)
  const shown = await at.amber('plugin', 'validate', good.folder, bad.folder)
  assert.equal(shown.code, 1)
  assert.match(shown.out, /"versoin", did you mean "version"\?[\s\S]*bad\/plugin\.json:\d+:\d+[\s\S]*\^\^\^/)
  assert.match(shown.out, /gone\.ts/)
  assert.match(shown.out, /in 1 of 2 manifests\n$/)
  const { code, out } = await at.amber('plugin', 'validate', good.folder, bad.folder, '--json')
  assert.equal(code, 1)
  const [first, second] = JSON.parse(out)
  assert.deepEqual(first, { file: join(good.folder, 'plugin.json'), ok: true, diagnostics: [] })
  assert.equal(second.ok, false)
  for (const one of second.diagnostics) {
    const { hint: _hint, ...fields } = one
    assert.deepEqual(Object.keys(fields), ['severity', 'code', 'file', 'line', 'column', 'path', 'message'])
  }
  assert.equal((await at.amber('plugin', 'validate', join(at.home, 'nowhere'))).code, 1)
})

test('MAN-1 plugin validate without a folder looks at the plugins of the workspace', async (t) => {
  const at = stand(t)
  const workspace = join(at.home, 'workspace')
  pluginFolder(join(workspace, '.amber', 'plugins'), 'one').manifest()
  pluginFolder(join(workspace, '.amber', 'plugins'), 'two').manifest()
  const found = await at.json('plugin', 'validate', '--workspace', workspace)
  assert.ok(Array.isArray(found))
  assert.deepEqual(
    found.map(({ file, ok }) => [file, ok]),
    ['one', 'two'].map((id) => [join(workspace, '.amber', 'plugins', id, 'plugin.json'), true]),
  )
  const none = await at.amber('plugin', 'validate', '--workspace', at.home)
  assert.equal(none.code, 1)
  assert.match(none.err, /amber plugin validate DIR/)
})

test('CLI-1 doctor finds nothing wrong in a fresh home, and everything that is wrong in a broken one', async (t) => {
  const at = stand(t)
  const fresh = await at.amber('doctor')
  assert.equal(fresh.code, 0, fresh.out)
  assert.match(fresh.out, /\n0 errors, \d+ warnings?\n$/)
  pluginFolder(at.plugins, 'invalid').write('plugin.json', '{}')
  answeringPlugin(at.plugins, 'failing', 'x').write('index.ts', 'throw new Error("no")\n')
  answeringPlugin(at.plugins, 'greet', 'taken')
  writeFileSync(join(at.home, 'config', 'config.json'), '{ "mode": "fast" }')
  const servers = { mcpServers: { gh: { command: 'x', env: { TOKEN: '${AMBER_TEST_UNSET}' } } } }
  writeFileSync(join(at.home, 'config', 'mcp.json'), JSON.stringify(servers))
  const { code, out } = await at.amber('doctor', '--json')
  assert.equal(code, 1)
  const findings: unknown = JSON.parse(out)
  assert.ok(Array.isArray(findings))
  const wrong = findings.filter((one) => one.severity === 'error')
  for (const check of ['config', 'plugin invalid', 'plugin failing', 'plugin greet'])
    assert.ok(
      wrong.some((one) => one.check === check),
      `${check}: ${out}`,
    )
  assert.match(findings.find((one) => one.check === 'mcp gh')?.message, /AMBER_TEST_UNSET/)
  assert.ok(wrong.every((one) => typeof one.remedy === 'string' && one.remedy !== ''))
})
