import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createPluginStates } from '../../host/plugin/plugin-state.ts'
import { runCommandLine } from '../support/command-line.ts'
import { startUserPlugins, testHost } from '../support/host.ts'
import { answeringPlugin, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Runs `amber ARGV` without the bundled plugins. */
const amber = (home: string, ...argv: readonly string[]) =>
  runCommandLine([...argv, '--no-session'], { home })

for (const [what, make] of Object.entries({
  'is not there': () => {},
  'holds no plugin.json': (path: string) => mkdirSync(path),
  'is a file': (path: string) => writeFileSync(path, ''),
  'is a link to itself': (path: string) => symlinkSync(path, path),
})) {
  test(`CLI-1 a folder of --plugin that ${what} ends every command with 3`, async (t) => {
    const home = temporaryFolder(t)
    const path = join(home, 'named')
    make(path)
    for (const command of [
      ['run', 'hi'],
      ['plugin', 'list'],
      ['command', 'help'],
    ]) {
      const { code, err } = await amber(home, '--plugin', path, '--no-plugins', ...command)
      assert.equal(code, 3, err)
      assert.match(err, /named/)
      assert.equal(err.trimEnd().split('\n').length, 2, err)
    }
  })
}

test('CLI-1 a folder of --plugin that may not be looked into ends with 3', async (t) => {
  const home = temporaryFolder(t)
  const plugin = answeringPlugin(home, 'shut', 'x')
  chmodSync(plugin.folder, 0)
  const { code } = await amber(home, '--plugin', plugin.folder, '--no-plugins', 'plugin', 'list')
  chmodSync(plugin.folder, 0o700)
  // Root may look into everything: then it is a plugin like any other.
  assert.equal(code, process.getuid?.() === 0 ? 0 : 3)
})

test('CLI-1 a name of --without that is nobody’s is told, with the nearest one', async (t) => {
  const { code, err } = await amber(temporaryFolder(t), '--without', 'helo', 'plugin', 'list')
  assert.equal(code, 1)
  assert.match(err, /there is no plugin helo[\s\S]*Did you mean hello/)
})

/** A host with the plugin `greeting`, whose state file holds this text. */
async function withState(t: TestContext, text: string) {
  const host = testHost(t)
  answeringPlugin(host.userPlugins, 'greeting', 'hi')
  const folder = join(host.paths.config, 'plugin-state')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'greeting.json')
  writeFileSync(file, text)
  return { host, file, found: await startUserPlugins(host) }
}

for (const text of ['{bad', '{"enabled":"no"}', '{"enabld":false}', '[]', '']) {
  test(`LED-8 a state file that is not understood leaves its plugin off and says so: ${text}`, async (t) => {
    const { host, file, found } = await withState(t, text)
    const info = host.plugins.info('greeting')
    assert.deepEqual([info?.state, info?.enabled], ['disabled', false])
    assert.ok(info?.reason?.includes(file), info?.reason)
    const [told] = found.filter((one) => one.file === file)
    assert.equal(told?.severity, 'error')
    assert.match(told?.hint ?? '', /amber plugin on greeting/)
    assert.deepEqual(info?.diagnostics, found)
    assert.match(await host.call('greeting'), /no tool/)
    await host.plugins.enable('greeting')
    assert.equal(await host.call('greeting'), 'hi')
    assert.deepEqual(host.plugins.info('greeting')?.diagnostics, [])
  })
}

test('LED-8 a state file is told of once at the start, and by doctor with its place', async (t) => {
  const home = temporaryFolder(t)
  const folder = join(home, 'config', 'plugin-state')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'hello.json'), '{bad')
  const { err } = await runCommandLine(['plugin', 'list'], { home })
  assert.equal(err.split('hello.json:1:').length, 2, err)
  const { code, out } = await runCommandLine(['doctor'], { home })
  assert.equal(code, 1)
  assert.match(out, /plugin hello: .*hello\.json:1:\d+ .*\n.*amber plugin on hello/)
})

test('LED-8 comments are understood, and switching keeps what else the file says', async (t) => {
  const { host, file } = await withState(t, '{ "enabled": false, // for now\n "x-why": "noise" }')
  assert.equal(host.plugins.info('greeting')?.state, 'disabled')
  assert.equal(host.plugins.info('greeting')?.reason, undefined)
  writeFileSync(file, '{"enabled":false,"x-why":"noise"}')
  const states = createPluginStates(host.paths.config)
  await states.setEnabled('greeting', true)
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { enabled: true, 'x-why': 'noise' })
})

test('LED-7 the names of a workspace’s plugin that is not trusted resolve to it and to the remedy', async (t) => {
  const home = temporaryFolder(t)
  const plugin = pluginFolder(join(home, '.amber', 'plugins'), 'weather')
  plugin.manifest({
    entry: './index.js',
    capabilities: {
      commands: [
        { root: 'weather', help: 'Weather' },
        { root: 'help', help: 'Not mine' },
      ],
    },
  })
  plugin.write('index.js', 'throw new Error("ran")')
  const { code, err } = await amber(home, '--without', 'hello', 'command', 'weather', 'now')
  assert.equal(code, 1)
  assert.match(err, /\/weather belongs to plugin weather, which is not used: .*amber trust add/)
  const own = await amber(home, 'command', 'help')
  assert.equal(own.code, 0, own.err)
})
