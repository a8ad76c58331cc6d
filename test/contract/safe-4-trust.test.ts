import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { systemClock } from '../../host/base/clock.ts'
import { createPluginTrust } from '../../host/workspace/plugin-trust.ts'
import { createTrust } from '../../host/workspace/trust.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testApp } from '../support/test-app.ts'

const PLUGIN = {
  manifestVersion: 1,
  id: 'from_ws',
  version: '0.1.0',
  name: 'From the workspace',
  description: 'x',
  engines: { amber: '>=0.1.0' },
  entry: './index.ts',
  capabilities: {
    tools: [{ name: 'ws_tool', description: 'x', parameters: { type: 'object', properties: {} } }],
  },
}

const ENTRY = (word: string) =>
  `import { word } from './word.ts'\nexport default { amber: 'plugin', factory: () => { globalThis.wsLoaded = '${word}'; return { tools: { ws_tool: { execute: () => ({ ok: true, output: word + ' ${word}' }) } } } } }\n`

/** A home and a workspace that brings a plugin. */
function setUp(t: TestContext) {
  const home = temporaryFolder(t)
  const workspace = join(home, 'ws')
  const plugin = join(workspace, '.amber', 'plugins', 'from_ws')
  mkdirSync(plugin, { recursive: true })
  writeFileSync(join(plugin, 'plugin.json'), JSON.stringify(PLUGIN))
  writeFileSync(join(plugin, 'word.ts'), `export const word = 'said'\n`)
  writeFileSync(join(plugin, 'index.ts'), ENTRY('one'))
  const paths = {
    config: join(home, 'config'),
    state: join(home, 'state'),
    cache: join(home, 'cache'),
    workspace,
    installation: join(home, 'installation'),
  }
  const open = async () => {
    const app = await testApp(t, { home, workspace, bundled: true })
    const info = () => app.plugins.info('from_ws')
    return { app, info, call: () => app.callTool('ws_tool', {}, {}) }
  }
  return {
    home,
    workspace,
    plugin,
    paths,
    open,
    trust: createTrust({ state: paths.state, clock: systemClock }),
  }
}

test('SAFE-4 a plugin that a workspace brings is discovered, and nothing of it is used before the user trusts it', async (t) => {
  const { open, trust, workspace } = setUp(t)
  const { app, info, call } = await open()
  assert.equal(info()?.state, 'discovered')
  assert.equal(info()?.source, 'workspace')
  assert.match(info()?.reason ?? '', /the workspace is not trusted: look at it, then: amber trust add/)
  assert.deepEqual(info()?.contributions, [])
  assert.equal((await call()).ok, false)
  await app.plugins.enable('from_ws')
  assert.equal(info()?.state, 'discovered', 'switching it on is no trust')
  assert.equal((await app.plugins.swap('from_ws', { fresh: true })).kind, 'rejected')
  assert.equal(info()?.state, 'discovered')
  await trust.add(workspace)
  const trusted = await open()
  assert.equal(trusted.info()?.state, 'active')
  assert.equal((await trusted.call()).output, 'said one')
})

test('SAFE-4 changed code asks again', async (t) => {
  const { open, trust, workspace, plugin } = setUp(t)
  await trust.add(workspace)
  writeFileSync(join(plugin, 'word.ts'), `export const word = 'changed'\n`)
  const { info } = await open()
  assert.equal(info()?.state, 'discovered')
  assert.match(info()?.reason ?? '', /has changed since it was trusted \(word\.ts\)/)
  await trust.add(workspace)
  assert.equal((await (await open()).call()).output, 'changed one')
})

test('SAFE-4 code that changes between the start and the first call is not run', async (t) => {
  const { open, trust, workspace, plugin } = setUp(t)
  await trust.add(workspace)
  const { info, call } = await open()
  assert.equal(info()?.state, 'active')
  writeFileSync(join(plugin, 'index.ts'), ENTRY('evil'))
  const answer = await call()
  assert.equal(answer.ok, false)
  assert.match(answer.error ?? '', /has changed since it was trusted \(index\.ts\)/)
  assert.notEqual(Reflect.get(globalThis, 'wsLoaded'), 'evil')
})

test('SAFE-4 a swap takes in no code that nobody trusted, and the trusted version goes on', async (t) => {
  const { open, trust, workspace, plugin } = setUp(t)
  await trust.add(workspace)
  const { app, info, call } = await open()
  assert.equal((await call()).output, 'said one')
  writeFileSync(join(plugin, 'index.ts'), ENTRY('evil'))
  assert.equal((await app.plugins.swap('from_ws')).kind, 'rejected')
  assert.equal((await call()).output, 'said one')
  assert.match(info()?.reason ?? '', /changed since it was trusted/)
})

test('SAFE-4 what came after the trust, and what lies outside its folder, is not covered', async (t) => {
  const { open, trust, workspace, plugin } = setUp(t)
  const late = join(workspace, '.amber', 'plugins', 'late')
  await trust.add(workspace)
  mkdirSync(late)
  writeFileSync(
    join(late, 'plugin.json'),
    JSON.stringify({ ...PLUGIN, id: 'late', capabilities: {}, entry: undefined }),
  )
  writeFileSync(join(workspace, 'shared.ts'), `export const word = 'outside'\n`)
  writeFileSync(join(plugin, 'word.ts'), `export { word } from '../../../shared.ts'\n`)
  const { app } = await open()
  assert.match(app.plugins.info('late')?.reason ?? '', /came after the workspace was trusted/)
  await trust.add(workspace)
  const answer = await (await open()).call()
  assert.match(answer.error ?? '', /shared\.ts, and trust covers nothing outside its folder/)
})

test('SAFE-4 an untrusted plugin takes no place of another with its id', async (t) => {
  const { open, paths } = setUp(t)
  const own = join(paths.config, 'plugins', 'from_ws')
  mkdirSync(own, { recursive: true })
  const manifest = { ...PLUGIN, entry: undefined, capabilities: {} }
  writeFileSync(join(own, 'plugin.json'), JSON.stringify(manifest))
  const { info } = await open()
  assert.equal(info()?.source, 'user')
  assert.equal(info()?.state, 'active')
})

test('SAFE-4 trust is listed and taken back, by real path, and fails closed', async (t) => {
  const { trust, workspace, home, paths, plugin } = setUp(t)
  const added = await trust.add(join(workspace, '..', 'ws'))
  assert.equal(added.folder, workspace)
  assert.deepEqual(Object.keys(added.plugins), [plugin])
  assert.equal(await trust.isTrusted(workspace), true)
  assert.equal(await trust.isTrusted(join(workspace, '.amber')), false)
  assert.equal(await trust.isTrusted(home), false)
  await assert.rejects(trust.add(join(home, 'nowhere')), /cannot be trusted/)
  assert.equal(await trust.remove(workspace), true)
  assert.equal(await trust.remove(workspace), false)
  await trust.add(workspace)
  const judge = createPluginTrust({ trust, workspace })
  assert.equal(await judge.refusal(plugin), undefined)
  rmSync(join(plugin, 'word.ts'))
  assert.match((await judge.refusal(plugin)) ?? '', /word\.ts/)
  writeFileSync(
    join(paths.state, 'trust.json'),
    readFileSync(join(paths.state, 'trust.json'), 'utf8').slice(0, 40),
  )
  assert.equal(await trust.isTrusted(workspace), false)
  assert.notEqual(await judge.refusal(plugin), undefined)
})
