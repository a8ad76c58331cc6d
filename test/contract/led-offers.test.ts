import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startUserPlugins, type TestHost, testHost } from '../support/host.ts'
import { answeringPlugin, type PluginFolder, pluginFolder } from '../support/plugin-folder.ts'

/** A plugin whose tools come and go as its own tool `offer` is told: `offer {"group": "dyn_a", "tools": ["dyn_x"]}`. */
function offeringPlugin(parent: string, change: Readonly<Record<string, unknown>> = {}): PluginFolder {
  const plugin = pluginFolder(parent, 'offering')
  plugin.manifest({
    entry: './index.ts',
    capabilities: {
      tools: [
        {
          name: 'offer',
          description: 'Offers a group of tools.',
          parameters: { type: 'object', properties: {}, additionalProperties: true },
        },
      ],
    },
    dynamicTools: { prefix: 'dyn_' },
    ...change,
  })
  plugin.write('index.ts', offeringEntry('1'))
  return plugin
}

/** `mark` is in every answer; `first` is offered by the factory itself. */
function offeringEntry(mark: string, first: readonly string[] = []): string {
  return `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>((host) => {
  const tool = (name) => ({
    name,
    description: 'Answers for ' + name + '.',
    parameters: { type: 'object', properties: { text: { type: 'string' } } },
    execute: ({ text }) => {
      if (text === 'throw') throw new Error('broken')
      return { ok: true, output: name + ' ${mark} ' + (text ?? '') }
    },
  })
  const offer = (group, names) => host.offerTools(group, names.map((name) => typeof name === 'string' ? tool(name) : name))
  for (const name of ${JSON.stringify(first)}) offer(name, [name])
  return {
    tools: { offer: { execute: ({ group, tools }) => { offer(group, tools); return { ok: true, output: 'offered' } } } },
  }
})
`
}

async function stand(t: TestContext, change?: Readonly<Record<string, unknown>>) {
  const host = testHost(t)
  const plugin = offeringPlugin(host.userPlugins, change)
  await startUserPlugins(host)
  return { host, plugin }
}

const offer = (host: TestHost, group: string, ...tools: readonly unknown[]) =>
  host.call('offer', { group, tools })
const toolsOf = (host: TestHost) => [...host.ledger.snapshot().tools.keys()]
const entriesOf = (host: TestHost) =>
  host.ledger.snapshot().ledger.map(({ name, status, generation }) => `${name} ${status} ${generation}`)

test('L19 a tool that is offered after the start is in the next snapshot, as one ledger entry a group', async (t) => {
  const { host } = await stand(t)
  assert.deepEqual(toolsOf(host), ['offer'])
  assert.equal(await offer(host, 'dyn_a', 'dyn_x', 'dyn_y'), 'offered')
  assert.deepEqual(toolsOf(host), ['offer', 'dyn_x', 'dyn_y'])
  assert.deepEqual(entriesOf(host), ['offer installed 1', 'dyn_a installed 1'])
  assert.equal(await host.call('dyn_y', { text: 'yes' }), 'dyn_y 1 yes')
})

test('TOOL-1 what an offered tool leaves out has the defaults of a manifest, and its arguments are checked', async (t) => {
  const { host } = await stand(t)
  await offer(host, 'dyn_a', 'dyn_x')
  const tool = host.ledger.snapshot().tools.get('dyn_x')
  assert.deepEqual(
    [tool?.readOnly, tool?.approval, tool?.verb, tool?.maxOutputBytes],
    [false, 'never', 'dyn_x', 65_536],
  )
  assert.deepEqual((await tool?.check({ text: 5 }))?.ok, false)
  assert.equal(await tool?.requiresApproval({}), false)
})

test('LED-1 offering a group again replaces it in one commit; no tools take it out', async (t) => {
  const { host } = await stand(t)
  await offer(host, 'dyn_a', 'dyn_x')
  await offer(host, 'dyn_b', 'dyn_z')
  const seen: (readonly string[])[] = []
  const stop = host.ledger.onCommit((snapshot) => seen.push([...snapshot.tools.keys()]))
  await offer(host, 'dyn_a', 'dyn_x', 'dyn_y')
  stop()
  assert.deepEqual(seen, [['offer', 'dyn_x', 'dyn_y', 'dyn_z']])
  await offer(host, 'dyn_a')
  assert.deepEqual(toolsOf(host), ['offer', 'dyn_z'])
  assert.deepEqual(entriesOf(host), ['offer installed 1', 'dyn_b installed 1'])
})

test('SWAP-5 offering the same again keeps the entry and commits nothing', async (t) => {
  const { host } = await stand(t)
  await offer(host, 'dyn_a', 'dyn_x')
  const before = host.ledger.snapshot()
  await offer(host, 'dyn_a', 'dyn_x')
  assert.equal(host.ledger.snapshot(), before)
})

test('LED-5 an offered name that an earlier owner holds fails that group alone, and the holder is untouched', async (t) => {
  const host = testHost(t)
  answeringPlugin(host.userPlugins, 'dyn_held', 'mine')
  offeringPlugin(host.userPlugins)
  await startUserPlugins(host)
  await offer(host, 'dyn_a', 'dyn_held', 'dyn_x')
  await offer(host, 'dyn_b', 'dyn_z')
  const failed = host.ledger.snapshot().ledger.find(({ name }) => name === 'dyn_a')
  assert.equal(failed?.status, 'failed')
  assert.match(failed?.reason ?? '', /plugin offering.*"dyn_held" belongs to plugin dyn_held/)
  assert.deepEqual(toolsOf(host), ['dyn_held', 'offer', 'dyn_z'])
  assert.equal(await host.call('dyn_held'), 'mine')
  assert.equal(host.plugins.info('offering')?.state, 'degraded')
})

for (const [what, group, tool, error] of [
  ['a group without the prefix', 'other', 'dyn_x', /a group is a name that begins with "dyn_"/],
  ['a tool without the prefix', 'dyn_a', 'other', /"other" does not begin with "dyn_"/],
  ['a name that is none', 'dyn_a', 'dyn x', /is no name of a tool/],
  ['a tool without a description', 'dyn_a', { name: 'dyn_x' }, /no description/],
  [
    'parameters that are no object',
    'dyn_a',
    { name: 'dyn_x', description: 'x', parameters: { type: 'string' }, execute: 1 },
    /no execute/,
  ],
] as const) {
  test(`LED-1 ${what} is refused, and nothing is installed`, async (t) => {
    const { host } = await stand(t)
    assert.match(await offer(host, group, tool), error)
    assert.deepEqual(toolsOf(host), ['offer'])
  })
}

test('LED-1 a plugin that does not declare dynamic tools offers none', async (t) => {
  const host = testHost(t)
  const plugin = pluginFolder(host.userPlugins, 'plain')
  plugin.manifest({ entry: './index.ts', activation: 'startup' })
  plugin.write('index.ts', offeringEntry('1', ['dyn_x']))
  await startUserPlugins(host)
  assert.deepEqual(toolsOf(host), [])
  assert.equal(host.plugins.info('plain')?.state, 'failed')
})

test('LED-4 switching the plugin off takes everything out that it offered, and a late offer is inert', async (t) => {
  const { host } = await stand(t)
  const before = host.ledger.snapshot().tools
  await offer(host, 'dyn_a', 'dyn_x')
  await host.plugins.disable('offering')
  assert.deepEqual(toolsOf(host), [])
  await host.plugins.enable('offering')
  assert.deepEqual(toolsOf(host), [...before.keys()])
})

test('SWAP-3 a swap changes what the factory offers with the rest, and takes out what is not offered any more', async (t) => {
  const { host, plugin } = await stand(t)
  plugin.write('index.ts', offeringEntry('2', ['dyn_x', 'dyn_y']))
  const seen: (readonly string[])[] = []
  host.ledger.onCommit((snapshot) => seen.push([...snapshot.tools.keys()]))
  const first = await host.plugins.swap('offering')
  assert.deepEqual(seen, [['offer', 'dyn_x', 'dyn_y']], 'one commit')
  assert.deepEqual(first.kind === 'swapped' && first.changed.map(({ name, change }) => `${name} ${change}`), [
    'offer changed',
    'dyn_x added',
    'dyn_y added',
  ])
  assert.equal(await host.call('dyn_x'), 'dyn_x 2 ')
  plugin.write('index.ts', offeringEntry('3', ['dyn_y']))
  await host.plugins.swap('offering')
  assert.deepEqual(toolsOf(host), ['offer', 'dyn_y'])
  assert.equal(await host.call('dyn_y'), 'dyn_y 3 ')
})

test('SWAP-5 a change of data alone keeps what the running code offered', async (t) => {
  const { host, plugin } = await stand(t)
  await offer(host, 'dyn_a', 'dyn_x')
  const tool = host.ledger.snapshot().tools.get('dyn_x')
  plugin.manifest({
    entry: './index.ts',
    capabilities: {
      tools: [{ name: 'offer', description: 'Offers tools, as told.', parameters: { type: 'object' } }],
    },
    dynamicTools: { prefix: 'dyn_' },
  })
  assert.equal((await host.plugins.swap('offering')).kind, 'swapped')
  assert.equal(host.ledger.snapshot().tools.get('dyn_x'), tool)
})

test('LED-10 an offered group is parked after five faults, and comes back when it is offered anew', async (t) => {
  const { host } = await stand(t)
  await offer(host, 'dyn_a', 'dyn_x')
  await offer(host, 'dyn_b', 'dyn_z')
  for (let call = 0; call < 5; call += 1) assert.match(await host.call('dyn_x', { text: 'throw' }), /broken/)
  assert.deepEqual(toolsOf(host), ['offer', 'dyn_z'])
  assert.match(host.ledger.snapshot().unavailable.get('tool:dyn_x')?.why ?? '', /parked/)
  await offer(host, 'dyn_a', 'dyn_x')
  assert.equal(host.ledger.snapshot().unavailable.get('tool:dyn_x'), undefined)
  assert.equal(await host.call('dyn_x'), 'dyn_x 1 ')
})

test('LED-7 a plugin whose config file is not there is not loaded; where it is, the plugin starts with the host', async (t) => {
  const start = async (present: boolean) => {
    const host = testHost(t)
    const dynamicTools = { prefix: 'dyn_', configFile: 'dyn.json' }
    offeringPlugin(host.userPlugins, { capabilities: {}, dynamicTools }).write(
      'index.ts',
      offeringEntry('1', ['dyn_x']),
    )
    mkdirSync(host.paths.config, { recursive: true })
    if (present) writeFileSync(join(host.paths.config, 'dyn.json'), '{}')
    await startUserPlugins(host)
    return toolsOf(host)
  }
  assert.deepEqual(await start(false), [])
  assert.deepEqual(await start(true), ['dyn_x'])
})
