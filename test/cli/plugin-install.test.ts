import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { create } from 'tar'
import { type Finished, startAmber } from '../support/amber-process.ts'
import { startRegistry } from '../support/npm-registry.ts'
import { type PluginFolder, plainTool, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A home, an author's folder, and amber between them. */
function stand(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder(t)
  const installed = join(home, 'config', 'plugins')
  const amber = (...argv: readonly string[]): Promise<Finished> => startAmber(argv, { home, env }).finished
  return {
    home,
    installed,
    author: temporaryFolder(t),
    amber,
    async done(...argv: readonly string[]) {
      const { code, out, err } = await amber(...argv)
      assert.equal(code, 0, `amber ${argv.join(' ')}\n${out}${err}`)
      return out
    },
    /** What the plugin's command says in this home. */
    says: async () => (await amber('command', 'saying')).out.trim(),
    names: () => readdirSync(installed).sort(),
  }
}

/** A plugin whose command `/saying` answers a text that stands in a file of its own. */
function sayingPlugin(
  parent: string,
  text: string,
  change: Readonly<Record<string, unknown>> = {},
): PluginFolder {
  const plugin = pluginFolder(parent, 'saying')
  plugin.manifest({
    entry: './src/index.ts',
    capabilities: {
      commands: [{ root: 'saying', help: 'Says it', man: 'Usage: /saying' }],
      promptBlocks: [{ name: 'saying_doc', file: 'prompts/saying.md' }],
    },
    ...change,
  })
  plugin.write(
    'src/index.ts',
    `import { definePlugin } from 'amber-agent/sdk'
import { readFileSync } from 'node:fs'
import { text } from './text.ts'
const more: string = readFileSync(new URL('./data/more.json', import.meta.url), 'utf8')
export default definePlugin<any>(() => ({ commands: { saying: { '': () => text + JSON.parse(more).end } } }))
`,
  )
  plugin.write('src/text.ts', `export const text: string = ${JSON.stringify(text)}\n`)
  plugin.write('src/saying.test.ts', 'throw new Error("a test is not published")\n')
  plugin.write('data/more.json', '{ "end": "!" }')
  plugin.write('prompts/saying.md', 'Say it.\n')
  plugin.write(
    'package.json',
    '{ "license": "MIT", "scripts": { "install": "exit 1" }, "devDependencies": { "x": "1" } }',
  )
  return plugin
}

const version = (text: string) => ({ version: text })

test('CLI-1 plugin build makes a folder that is a plugin: one module, the manifest, the data; --pack a .tgz', async (t) => {
  const at = stand(t)
  const { folder } = sayingPlugin(at.author, 'built')
  const built = JSON.parse(await at.done('plugin', 'build', folder, '--pack', '--json'))
  assert.deepEqual(
    [built.ok, built.path, built.archive],
    [true, join(folder, 'dist'), join(folder, 'saying-0.1.0.tgz')],
  )
  assert.deepEqual(built.files, [
    'data/more.json',
    'index.js',
    'index.js.map',
    'package.json',
    'plugin.json',
    'prompts/saying.md',
  ])
  const about = JSON.parse(readFileSync(join(folder, 'dist', 'package.json'), 'utf8'))
  assert.deepEqual([about.name, about.version, about.license], ['amber-plugin-saying', '0.1.0', 'MIT'])
  assert.equal(about.scripts ?? about.devDependencies, undefined)
  await at.done('plugin', 'validate', join(folder, 'dist'))
  const said = await at.done('command', 'saying', '--plugin', join(folder, 'dist'))
  assert.equal(said, 'built!\n')
  const packed = readFileSync(built.archive)
  await at.done('plugin', 'build', folder, '--pack')
  assert.ok(packed.equals(readFileSync(built.archive)), 'the same files make the same archive')
})

test('CLI-1 plugin build: what is wrong is shown at its line, and the last build stays; nothing else is deleted', async (t) => {
  const at = stand(t)
  const plugin = sayingPlugin(at.author, 'good')
  await at.done('plugin', 'build', plugin.folder)
  const before = readFileSync(join(plugin.folder, 'dist', 'index.js'), 'utf8')
  plugin.write('src/text.ts', 'export const text = \n')
  const broken = await at.amber('plugin', 'build', plugin.folder)
  assert.equal(broken.code, 1)
  assert.match(broken.err, /src\/text\.ts:2:1/)
  plugin.write('src/text.ts', 'throw new Error("not today")\nexport const text = ""\n')
  const throwing = await at.amber('plugin', 'build', plugin.folder)
  assert.equal(throwing.code, 1)
  assert.match(throwing.err, /not today/)
  assert.equal(readFileSync(join(plugin.folder, 'dist', 'index.js'), 'utf8'), before)
  assert.ok(readdirSync(plugin.folder).every((name) => !name.startsWith('dist.')))
  for (const out of [at.author, plugin.folder, join(plugin.folder, 'src')])
    assert.equal((await at.amber('plugin', 'build', plugin.folder, '--out', out)).code, 1, out)
  assert.ok(existsSync(join(plugin.folder, 'src', 'text.ts')))
})

test('SWAP-10 a fault of a built plugin names the author’s own file and line, at home and where it is installed', async (t) => {
  const at = stand(t)
  const plugin = pluginFolder(at.author, 'faulty')
  plugin.manifest({ entry: './src/index.ts', capabilities: { tools: [plainTool('faulty')] } })
  plugin.write('src/index.ts', `// one\n// two\nthrow new Error('on line three')\n`)
  const built = await at.amber('plugin', 'build', plugin.folder)
  assert.match(built.err, /on line three[\s\S]*faulty\/src\/index\.ts:3:7[\s\S]*3 │ throw/)
  const plain = `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>(() => ({
  tools: { faulty: { execute: () => ({ ok: true }) } },
`
  plugin.write('src/index.ts', `${plain}}))\n`)
  await at.done('plugin', 'build', plugin.folder)
  await at.done('plugin', 'install', join(plugin.folder, 'dist'), '--yes')
  const map = JSON.parse(readFileSync(join(at.installed, 'faulty', 'index.js.map'), 'utf8'))
  assert.deepEqual(map.sources, ['src/index.ts'])
})

test('CLI-1 plugin install asks: with nobody there it is exit 4, and nothing is installed; --yes installs', async (t) => {
  const at = stand(t)
  const { folder } = sayingPlugin(at.author, 'from a folder')
  const asked = await at.amber('plugin', 'install', folder)
  assert.equal(asked.code, 4)
  assert.match(asked.err, /command +saying\n {2}|promptBlock +saying_doc\n/)
  assert.match(asked.err, /your own rights/)
  assert.match(asked.err, /--yes/)
  assert.deepEqual(at.names(), [])
  const told = JSON.parse(await at.done('plugin', 'install', folder, '--yes', '--json'))
  assert.deepEqual([told.id, told.source, told.result, told.from], ['saying', 'user', 'installed', folder])
  assert.deepEqual(at.names(), ['saying'])
  assert.equal(await at.says(), 'from a folder!')
  const again = await at.amber('plugin', 'install', folder, '--yes')
  assert.equal(again.code, 1)
  assert.match(again.err, /already[\s\S]*amber plugin update saying/)
})

test('CLI-1 plugin update: state kept; an update that is broken in any way leaves the old one', async (t) => {
  const at = stand(t)
  const plugin = sayingPlugin(at.author, 'one')
  await at.done('plugin', 'install', plugin.folder, '--yes')
  assert.match(await at.done('plugin', 'update', 'saying'), /newest/)
  sayingPlugin(at.author, 'two', version('0.2.0'))
  assert.equal((await at.amber('plugin', 'update', 'saying')).code, 4)
  await at.done('plugin', 'off', 'saying')
  const told = JSON.parse(await at.done('plugin', 'update', 'saying', '--yes', '--json'))
  assert.deepEqual([told.version, told.enabled, told.result], ['0.2.0', false, 'updated'])
  await at.done('plugin', 'on', 'saying')
  assert.equal(await at.says(), 'two!')
  const broken: readonly (readonly [() => void, RegExp])[] = [
    [() => plugin.write('src/text.ts', 'export const text = (\n'), /text\.ts:2:1/],
    [() => plugin.write('src/text.ts', 'process.exit(0)\nexport const text = ""\n'), /./],
    [() => plugin.write('src/index.ts', ''), /does not load/],
    [() => plugin.write('plugin.json', '{'), /plugin\.json/],
    [() => plugin.manifest({ engines: { amber: '>=99' } }), />=99[\s\S]*0\.1\.0/],
    [() => plugin.manifest({ id: 'other' }), /holds the plugin other/],
    [() => plugin.remove(), /There is no folder/],
  ]
  for (const [breakIt, message] of broken) {
    sayingPlugin(at.author, 'three', version('0.3.0'))
    breakIt()
    const { code, err } = await at.amber('plugin', 'update', 'saying', '--yes')
    assert.equal(code, 1, err)
    assert.match(err, message)
  }
  assert.equal(await at.says(), 'two!')
  assert.deepEqual(at.names(), ['saying'])
})

test('MAN-6 LED-5 plugin install refuses another amber’s plugin, and an id that amber holds itself', async (t) => {
  const at = stand(t)
  const late = pluginFolder(at.author, 'late')
  late.manifest({ engines: { amber: '>=99.0.0' } })
  const refused = await at.amber('plugin', 'install', late.folder, '--yes')
  assert.equal(refused.code, 1)
  assert.match(refused.err, />=99\.0\.0[\s\S]*0\.1\.0/)
  const taken = pluginFolder(at.author, 'hello')
  taken.manifest()
  const held = await at.amber('plugin', 'install', taken.folder, '--yes')
  assert.equal(held.code, 1)
  assert.match(held.err, /hello.*amber brings itself/)
  assert.deepEqual(at.names(), [])
})

test('CLI-1 plugin uninstall asks, takes the folder, and keeps the state unless told', async (t) => {
  const at = stand(t)
  const { folder } = sayingPlugin(at.author, 'gone')
  await at.done('plugin', 'install', folder, '--yes')
  await at.done('plugin', 'off', 'saying')
  const state = join(at.home, 'config', 'plugin-state', 'saying.json')
  assert.equal((await at.amber('plugin', 'uninstall', 'saying')).code, 4)
  assert.deepEqual(at.names(), ['saying'])
  await at.done('plugin', 'uninstall', 'saying', '--yes')
  assert.deepEqual([at.names(), existsSync(state)], [[], true])
  await at.done('plugin', 'install', folder, '--yes')
  await at.done('plugin', 'uninstall', 'saying', '--yes', '--state')
  assert.equal(existsSync(state), false)
  assert.ok(existsSync(folder))
  const bundled = await at.amber('plugin', 'uninstall', 'hello', '--yes')
  assert.equal(bundled.code, 1)
  assert.match(bundled.err, /amber plugin off hello/)
  assert.equal((await at.amber('plugin', 'uninstall', '../saying', '--yes')).code, 1)
})

test('CLI-1 plugin install npm:NAME and update, from a registry, with no script run', async (t) => {
  const registry = await startRegistry(t)
  const at = stand(t, { npm_config_registry: registry.url })
  const { folder } = sayingPlugin(at.author, 'npm one')
  const packed = async (change: Readonly<Record<string, unknown>>) =>
    JSON.parse(await at.done('plugin', 'build', folder, '--pack', '--json', ...Object.keys(change))).archive
  registry.publish('amber-plugin-saying', '0.1.0', await packed({}))
  await at.done('plugin', 'install', 'npm:amber-plugin-saying', '--yes')
  assert.equal(await at.says(), 'npm one!')
  sayingPlugin(at.author, 'npm two', version('0.2.0'))
  registry.publish('amber-plugin-saying', '0.2.0', await packed({}))
  await at.done('plugin', 'update', 'saying', '--yes')
  assert.equal(await at.says(), 'npm two!')
  await at.done('plugin', 'update', 'saying', '--from', 'npm:amber-plugin-saying@0.1.0', '--yes')
  assert.equal(await at.says(), 'npm one!')
  const absent = await at.amber('plugin', 'install', 'npm:amber-plugin-nowhere', '--yes')
  assert.equal(absent.code, 1)
  assert.match(absent.err, /404/)
  assert.deepEqual(at.names(), ['saying'])
})

test('CLI-1 plugin install git:URL and git:URL#TAG from a repository, hooks and links off', async (t) => {
  const at = stand(t)
  const { folder } = sayingPlugin(at.author, 'git one')
  const git = (...argv: readonly string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=a', '-c', 'user.email=a@b.test', '-c', 'init.defaultBranch=main', ...argv],
      {
        cwd: folder,
        stdio: 'pipe',
        env: { PATH: process.env.PATH, HOME: at.home },
      },
    )
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'one')
  git('tag', 'v1')
  sayingPlugin(at.author, 'git two', version('0.2.0'))
  git('commit', '-qam', 'two')
  await at.done('plugin', 'install', `git:file://${folder}#v1`, '--yes')
  assert.equal(await at.says(), 'git one!')
  assert.ok(!existsSync(join(at.installed, 'saying', '.git')))
  await at.done('plugin', 'update', 'saying', '--from', `git:${folder.replace(/^/, 'file://')}`, '--yes')
  assert.equal(await at.says(), 'git two!')
  const absent = await at.amber('plugin', 'install', `git:file://${at.home}/nowhere`, '--yes')
  assert.equal(absent.code, 1)
  assert.match(absent.err, /git could not bring/)
})

test('CLI-1 plugin install: what names no plugin is wrong usage; a folder without one fails', async (t) => {
  const at = stand(t)
  for (const spec of [
    'http://x.test/p.tgz',
    'npm:../x',
    'npm:--global',
    'git:--upload-pack=x',
    'git:ext::sh',
    'foo:bar',
  ])
    assert.equal((await at.amber('plugin', 'install', spec, '--yes')).code, 2, spec)
  const empty = join(at.author, 'empty')
  mkdirSync(empty)
  const nothing = await at.amber('plugin', 'install', empty, '--yes')
  assert.equal(nothing.code, 1)
  assert.match(nothing.err, /no plugin\.json/)
  writeFileSync(join(empty, 'not.tgz'), 'no archive')
  const archive = await at.amber('plugin', 'install', join(empty, 'not.tgz'), '--yes')
  assert.equal(archive.code, 1)
  assert.match(archive.err, /cannot be unpacked/)
})

test('CLI-1 plugin install fetches the packages that a plugin needs, and runs no install script of theirs', async (t) => {
  const registry = await startRegistry(t)
  const at = stand(t, { npm_config_registry: registry.url })
  const trace = join(at.home, 'a script ran')
  const library = join(at.author, 'package')
  mkdirSync(library)
  const scripts = { install: `node -e "require('fs').writeFileSync(${JSON.stringify(trace)}, '')"` }
  writeFileSync(join(library, 'package.json'), JSON.stringify({ name: 'tide', version: '1.0.0', scripts }))
  writeFileSync(join(library, 'index.js'), 'exports.tide = () => "high"\n')
  const archive = join(at.author, 'tide.tgz')
  await create({ file: archive, cwd: at.author, gzip: true }, ['package'])
  registry.publish('tide', '1.0.0', archive)
  const plugin = sayingPlugin(at.author, 'unused')
  plugin.write('package.json', '{ "dependencies": { "tide": "1.0.0" } }')
  const command = `commands: { saying: { '': () => tide() } }`
  plugin.write(
    'src/index.ts',
    `import { definePlugin } from 'amber-agent/sdk'\nimport { tide } from 'tide'\nexport default definePlugin<any>(() => ({ ${command} }))\n`,
  )
  await at.done('plugin', 'install', plugin.folder, '--yes')
  assert.equal(await at.says(), 'high')
  assert.equal(existsSync(trace), false)
})
