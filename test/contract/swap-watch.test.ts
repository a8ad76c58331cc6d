import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { testDevServer } from '../support/dev-server.ts'
import { answeringEntry, answeringPlugin, plainTool, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const saves: readonly (readonly [string, (path: string, text: string) => void])[] = [
  ['in place', (path, text) => writeFileSync(path, text)],
  [
    'by rename over',
    (path, text) => {
      writeFileSync(`${path}.tmp~`, text)
      renameSync(`${path}.tmp~`, path)
    },
  ],
  [
    'by delete and create',
    (path, text) => {
      unlinkSync(path)
      writeFileSync(path, text)
    },
  ],
]

for (const [how, save] of saves) {
  test(`SWAP-7 a save ${how} is seen, again and again (W5)`, async (t) => {
    const plugin = answeringPlugin(temporaryFolder(t), 'weather', '0')
    const dev = await testDevServer(t, { folders: [plugin.folder] })
    for (const version of ['1', '2', '3', '4']) {
      save(join(plugin.folder, 'index.ts'), answeringEntry('weather', version))
      await dev.swap('weather')
      assert.equal(await dev.call('weather'), version)
    }
  })
}

test('SWAP-1 a swap is told as interfaces 7 says', async (t) => {
  const plugin = answeringPlugin(temporaryFolder(t), 'weather', 'one')
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  const [first, ready] = dev.events
  assert.ok(first?.type === 'swap' && ready?.type === 'ready')
  assert.match(ready.url, /^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/)
  assert.deepEqual(first.changed, [{ kind: 'tool', name: 'weather', change: 'added' }])
  plugin.write('index.ts', answeringEntry('weather', 'two'))
  const swap = await dev.swap('weather')
  assert.deepEqual(Object.keys(swap), ['type', 'plugin', 'generation', 'changed', 'phases', 'totalMs'])
  assert.equal(swap.generation, 2)
  assert.deepEqual(swap.changed, [{ kind: 'tool', name: 'weather', change: 'changed' }])
  assert.deepEqual(Object.keys(swap.phases), ['validate', 'types', 'build', 'load', 'stage', 'commit'])
  assert.ok(swap.totalMs > 0 && swap.phases.build > 0)
})

test('SWAP-2 a fault is told with its phase and place, the old version answers, and mending is a swap', async (t) => {
  const plugin = answeringPlugin(temporaryFolder(t), 'weather', 'good')
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  plugin.write('index.ts', 'export default definePlugin(')
  const rejected = await dev.rejected('weather')
  assert.equal(rejected.phase, 'build')
  assert.equal(rejected.diagnostics[0]?.file, join(plugin.folder, 'index.ts'))
  assert.equal(await dev.call('weather'), 'good')
  plugin.write('index.ts', answeringEntry('weather', 'mended'))
  await dev.swap('weather')
  assert.equal(await dev.call('weather'), 'mended')
})

test('SWAP-6 a burst of saves ends on the newest state', async (t) => {
  const plugin = answeringPlugin(temporaryFolder(t), 'burst', 'start')
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  for (let save = 1; save <= 30; save += 1) plugin.write('index.ts', answeringEntry('burst', `save ${save}`))
  while ((await dev.call('burst')) !== 'save 30') await dev.swap('burst')
})

test('SWAP-6 of two saves 0 to 60 ms apart the last one always wins', async (t) => {
  const plugin = answeringPlugin(temporaryFolder(t), 'twice', 'start')
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  for (let round = 0; round < 40; round += 1) {
    const [, save] = saves[round % saves.length] ?? []
    const path = join(plugin.folder, 'index.ts')
    save?.(path, answeringEntry('twice', `${round} first`))
    // The pause is the input: the time between two saves.
    await pause((round * 60) / 39)
    save?.(path, answeringEntry('twice', `${round} last`))
    while ((await dev.call('twice')) !== `${round} last`) await dev.swap('twice')
  }
})

test('SWAP-7 a touch and a save of the same bytes swap nothing', async (t) => {
  const plugin = answeringPlugin(temporaryFolder(t), 'still', 'one')
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  utimesSync(join(plugin.folder, 'index.ts'), new Date(), new Date())
  plugin.write('index.ts', answeringEntry('still', 'one'))
  plugin.write('index.ts', answeringEntry('still', 'two'))
  assert.equal((await dev.swap('still')).generation, 2)
})

test('SWAP-7 an import that comes later, its own imports, and what the manifest names are watched', async (t) => {
  const plugin = pluginFolder(temporaryFolder(t), 'grows')
  const capabilities = {
    tools: [plainTool('grows')],
    promptBlocks: [{ name: 'notes', file: 'prompts/notes.md' }],
  }
  plugin.manifest({ entry: './index.ts', capabilities })
  plugin.write('prompts/notes.md', 'first')
  plugin.write('index.ts', answeringEntry('grows', 'plain'))
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  plugin.write(
    'index.ts',
    `import { word } from './lib/words'\n${answeringEntry('grows', 'x').replace('"x"', 'word')}`,
  )
  await dev.rejected('grows')
  plugin.write('lib/words.ts', "export { word } from './deep/word'")
  await dev.rejected('grows')
  plugin.write('lib/deep/word.ts', "export const word: string = 'deep'")
  await dev.swap('grows')
  assert.equal(await dev.call('grows'), 'deep')
  plugin.write('lib/deep/word.ts', "export const word: string = 'deeper'")
  await dev.swap('grows')
  assert.equal(await dev.call('grows'), 'deeper')
  plugin.write('prompts/notes.md', 'second')
  const swap = await dev.swap('grows')
  assert.deepEqual(swap.changed, [{ kind: 'promptBlock', name: 'notes', change: 'changed' }])
})

test('SWAP-7 a folder of the plugin that is replaced by another of its name is watched on', async (t) => {
  const plugin = pluginFolder(temporaryFolder(t), 'moved')
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('moved')] } })
  plugin.write('lib/word.ts', "export const word: string = 'one'")
  plugin.write(
    'index.ts',
    `import { word } from './lib/word'\n${answeringEntry('moved', 'x').replace('"x"', 'word')}`,
  )
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  rmSync(join(plugin.folder, 'lib'), { recursive: true })
  plugin.write('lib/word.ts', "export const word: string = 'two'")
  while ((await dev.call('moved')) !== 'two') await dev.swap('moved')
  for (const word of ['three', 'four']) {
    plugin.write('lib/word.ts', `export const word: string = '${word}'`)
    while ((await dev.call('moved')) !== word) await dev.swap('moved')
  }
})

test('SWAP-7 a file outside the folder counts, also one that is not there yet, in a folder that is not there (W11)', async (t) => {
  const outside = temporaryFolder(t)
  const plugin = answeringPlugin(temporaryFolder(t), 'reaches', 'near')
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  const far = join(outside, 'new', 'deep', 'far')
  plugin.write(
    'index.ts',
    `import { far } from ${JSON.stringify(far)}\n${answeringEntry('reaches', 'x').replace('"x"', 'far')}`,
  )
  await dev.rejected('reaches')
  mkdirSync(join(outside, 'new', 'deep'), { recursive: true })
  writeFileSync(`${far}.ts`, "export const far = 'far'")
  await dev.swap('reaches')
  assert.equal(await dev.call('reaches'), 'far')
  for (const word of ['farther', 'farthest']) {
    renameSync(`${far}.ts`, `${far}.old`)
    writeFileSync(`${far}.ts`, `export const far = '${word}'`)
    while ((await dev.call('reaches')) !== word) await dev.swap('reaches')
  }
})

test('SWAP-8 a folder that is deleted takes its plugin with it; back again it is one plugin, and is watched (W19)', async (t) => {
  const plugin = answeringPlugin(temporaryFolder(t), 'guest', 'one')
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  for (const round of ['first', 'second']) {
    plugin.remove()
    await dev.next('removal', (one) => one.type === 'removed' && one.plugin === 'guest')
    assert.equal(dev.app.plugins.info('guest'), undefined)
    assert.equal(dev.app.snapshot().ledger.length, 0)
    plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('guest')] } })
    plugin.write('index.ts', answeringEntry('guest', round))
    while ((await dev.call('guest')) !== round) await dev.swap('guest')
    assert.equal(dev.app.snapshot().ledger.length, 1)
    plugin.write('index.ts', answeringEntry('guest', `${round} again`))
    while ((await dev.call('guest')) !== `${round} again`) await dev.swap('guest')
  }
})

test('SWAP-8 a folder that is away for a moment, as in a checkout, takes nothing with it', async (t) => {
  const plugin = answeringPlugin(temporaryFolder(t), 'checkout', 'one')
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  plugin.remove()
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('checkout')] } })
  plugin.write('index.ts', answeringEntry('checkout', 'two'))
  while ((await dev.call('checkout')) !== 'two') await dev.swap('checkout')
  assert.deepEqual(
    dev.events.filter((one) => one.type === 'removed'),
    [],
  )
})

test('SWAP-8 a plugin that is added to a watched parent comes, and one that goes goes alone', async (t) => {
  const parent = temporaryFolder(t)
  answeringPlugin(parent, 'first', 'first')
  const dev = await testDevServer(t, { folders: [parent] })
  mkdirSync(join(parent, 'second'))
  // As an unpacking does it: the folder, then the manifest, then the rest, with time in between.
  await pause(100)
  const second = answeringPlugin(parent, 'second', 'second')
  while ((await dev.call('second')) !== 'second') await dev.swap('second')
  second.write('index.ts', answeringEntry('second', 'changed'))
  while ((await dev.call('second')) !== 'changed') await dev.swap('second')
  second.remove()
  await dev.next('removal', (one) => one.type === 'removed' && one.plugin === 'second')
  assert.equal(await dev.call('first'), 'first')
  answeringPlugin(parent, 'third', 'third')
  while ((await dev.call('third')) !== 'third') await dev.swap('third')
})

test('SWAP-8 a new id is a removal and an addition', async (t) => {
  const plugin = answeringPlugin(temporaryFolder(t), 'before', 'same')
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  plugin.manifest({ id: 'after', entry: './index.ts', capabilities: { tools: [plainTool('before')] } })
  await dev.next('removal', (one) => one.type === 'removed' && one.plugin === 'before')
  await dev.swap('after')
  assert.equal(await dev.call('before'), 'same')
})

test('SWAP-7 a linked plugin folder is watched where it is, and follows its link (W12)', async (t) => {
  const elsewhere = temporaryFolder(t)
  const parent = temporaryFolder(t)
  const one = answeringPlugin(join(elsewhere, 'v1'), 'linked', 'one')
  const two = answeringPlugin(join(elsewhere, 'v2'), 'linked', 'other')
  symlinkSync(one.folder, join(parent, 'linked'))
  const dev = await testDevServer(t, { folders: [parent] })
  assert.equal(await dev.call('linked'), 'one')
  one.write('index.ts', answeringEntry('linked', 'two'))
  await dev.swap('linked')
  assert.equal(await dev.call('linked'), 'two')
  unlinkSync(join(parent, 'linked'))
  symlinkSync(two.folder, join(parent, 'linked'))
  while ((await dev.call('linked')) !== 'other') await dev.swap('linked')
  two.write('index.ts', answeringEntry('linked', 'other still'))
  while ((await dev.call('linked')) !== 'other still') await dev.swap('linked')
  unlinkSync(join(parent, 'linked'))
  await dev.next('removal', (event) => event.type === 'removed' && event.plugin === 'linked')
})

test('SWAP-7 a manifest that is a link is watched where it leads', async (t) => {
  const elsewhere = temporaryFolder(t)
  const plugin = answeringPlugin(temporaryFolder(t), 'pointed', 'one')
  const real = join(elsewhere, 'the-manifest.json')
  renameSync(join(plugin.folder, 'plugin.json'), real)
  symlinkSync(real, join(plugin.folder, 'plugin.json'))
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  const manifest = pluginFolder(elsewhere, 'pointed')
  manifest.manifest({
    description: 'Another description.',
    entry: './index.ts',
    capabilities: { tools: [{ ...plainTool('pointed'), description: 'Another.' }] },
  })
  renameSync(join(manifest.folder, 'plugin.json'), real)
  const swap = await dev.swap('pointed')
  assert.deepEqual(swap.changed, [{ kind: 'tool', name: 'pointed', change: 'changed' }])
})
