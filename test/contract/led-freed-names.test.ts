import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testDevServer } from '../support/dev-server.ts'
import { type PluginFolder, plainTool, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Lets a plugin have these tools, each of which answers the plugin's id; `group` makes them one contribution. */
function offer(plugin: PluginFolder, tools: readonly string[], group?: string): void {
  const declared = tools.map((name) => ({ ...plainTool(name), ...(group === undefined ? {} : { group }) }))
  plugin.manifest({ entry: './index.ts', capabilities: { tools: declared } })
  const handlers = tools.map((name) => `${name}: { execute: () => ({ ok: true, output: '${plugin.id}' }) }`)
  plugin.write(
    'index.ts',
    `import { definePlugin } from 'amber-agent/sdk'\nexport default definePlugin<any>(() => ({ tools: { ${handlers.join(', ')} } }))\n`,
  )
}

/** `holder` has the tool `rain`, `wanting` has `sun`. */
async function stand(t: TestContext, rain: readonly string[] = ['rain'], group?: string) {
  const parent = temporaryFolder(t)
  const holder = pluginFolder(parent, 'holder')
  const wanting = pluginFolder(parent, 'wanting')
  offer(holder, rain, group)
  offer(wanting, ['sun'])
  const dev = await testDevServer(t, { folders: [holder.folder, wanting.folder] })
  return { holder, wanting, dev }
}

test('LED-5 a plugin that was refused for a name gets it when its holder lets it go', async (t) => {
  const { holder, wanting, dev } = await stand(t)
  offer(wanting, ['sun', 'rain'])
  await dev.rejected('wanting')
  offer(holder, ['snow'])
  await dev.swap('wanting')
  assert.deepEqual([await dev.call('rain'), await dev.call('snow')], ['wanting', 'holder'])
  assert.deepEqual(dev.app.plugins.info('wanting')?.diagnostics, [])
})

test('LED-5 the same when a group of the holder shrinks', async (t) => {
  const { holder, wanting, dev } = await stand(t, ['rain', 'snow'], 'weather')
  offer(wanting, ['rain'])
  await dev.rejected('wanting')
  offer(holder, ['snow'], 'weather')
  await dev.swap('wanting')
  assert.equal(await dev.call('rain'), 'wanting')
})

test('LED-5 the same when the holder is switched off, or goes', async (t) => {
  const { holder, wanting, dev } = await stand(t)
  offer(wanting, ['rain'])
  await dev.rejected('wanting')
  await dev.app.plugins.disable('holder')
  await dev.swap('wanting')
  assert.equal(await dev.call('rain'), 'wanting')
  offer(wanting, ['sun'])
  await dev.swap('wanting')
  await dev.app.plugins.enable('holder')
  offer(wanting, ['rain'])
  await dev.rejected('wanting')
  holder.remove()
  await dev.swap('wanting')
  assert.equal(await dev.call('rain'), 'wanting')
})
