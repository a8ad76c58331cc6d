import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { watch } from 'chokidar'
import { startDevServer } from '../../devserver/index.ts'
import { systemClock } from '../../host/base/clock.ts'
import { atEnd } from '../support/at-end.ts'
import { createEar, testDevServer } from '../support/dev-server.ts'
import { answeringEntry, answeringPlugin, plainTool, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testApp } from '../support/test-app.ts'

test('W2 a file that is written in pieces ends with its final content live', async (t) => {
  const plugin = answeringPlugin(temporaryFolder(t), 'pieces', 'start')
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  const path = join(plugin.folder, 'index.ts')
  for (const ms of [1, 10, 40]) {
    const text = answeringEntry('pieces', `${ms} ms apart`)
    writeFileSync(path, '')
    for (let at = 0; at < text.length; at += 60) {
      appendFileSync(path, text.slice(at, at + 60))
      // The pause is the input: how the writer dawdles.
      await pause(ms)
    }
    while ((await dev.call('pieces')) !== `${ms} ms apart`) await dev.swap('pieces')
  }
})

test('W6 on a file system without events amber looks, and says so once', async (t) => {
  const parent = temporaryFolder(t)
  const outside = temporaryFolder(t)
  const plugin = answeringPlugin(parent, 'mounted', 'one')
  const dev = await testDevServer(t, { folders: [parent], watch: { isSilent: () => true } })
  plugin.write('index.ts', answeringEntry('mounted', 'two'))
  await dev.swap('mounted')
  assert.equal(await dev.call('mounted'), 'two')
  const far = join(outside, 'far.ts')
  writeFileSync(far, "export const far = 'three'")
  const importing = `import { far } from ${JSON.stringify(far)}\n${answeringEntry('mounted', 'x').replace('"x"', 'far')}`
  plugin.write('index.ts', importing)
  await dev.swap('mounted')
  writeFileSync(far, "export const far = 'three and more'")
  while ((await dev.call('mounted')) !== 'three and more') await dev.swap('mounted')
  const notices = dev.events.filter(
    (one) => one.type === 'warning' && one.message.includes(`${parent} is on`),
  )
  assert.equal(notices.length, 1)
})

/** An opener whose first watches fail, each many times over. */
function failing(error: Error, times: number): typeof watch {
  let left = times
  return (folder, options) => {
    const watcher = watch(folder, options)
    if (left > 0) {
      left -= 1
      setImmediate(() => {
        for (let flood = 0; flood < 100; flood += 1) watcher.emit('error', error)
      })
    }
    return watcher
  }
}

test('W7 a flood of ENOSPC is one message with the remedy, and saves are still seen', async (t) => {
  const plugin = answeringPlugin(temporaryFolder(t), 'limited', 'one')
  const error = Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
    code: 'ENOSPC',
  })
  const dev = await testDevServer(t, { folders: [plugin.folder], watch: { open: failing(error, 2) } })
  plugin.write('index.ts', answeringEntry('limited', 'two, and longer'))
  while ((await dev.call('limited')) !== 'two, and longer') await dev.swap('limited')
  const warnings = dev.events.filter((one) => one.type === 'warning')
  assert.equal(warnings.length, 1, JSON.stringify(warnings))
  assert.match(JSON.stringify(warnings), /sysctl fs\.inotify\.max_user_watches/)
})

test('L23 a watch that fails or throws ends nothing: it is told, tried again, and what was missed is caught up with', async (t) => {
  const plugin = answeringPlugin(temporaryFolder(t), 'shaky', 'one')
  const flaky = failing(new Error('the disk hiccuped'), 2)
  const dev = await testDevServer(t, { folders: [plugin.folder], watch: { open: flaky } })
  plugin.write('index.ts', answeringEntry('shaky', 'two'))
  await dev.app.plugins.swap('shaky')
  assert.equal(await dev.call('shaky'), 'two')
  plugin.write('index.ts', answeringEntry('shaky', 'three'))
  while ((await dev.call('shaky')) !== 'three') await dev.swap('shaky')
  assert.match(JSON.stringify(dev.events), /watching failed \(the disk hiccuped\)/)
  let throws = 2
  const throwing: typeof watch = (folder, options) => {
    throws -= 1
    if (throws >= 0) throw Object.assign(new Error('too many'), { code: 'EMFILE' })
    return watch(folder, options)
  }
  const other = answeringPlugin(temporaryFolder(t), 'other', 'one')
  const again = await testDevServer(t, { folders: [other.folder], watch: { open: throwing } })
  other.write('index.ts', answeringEntry('other', 'two, and longer'))
  while ((await again.call('other')) !== 'two, and longer') await again.swap('other')
  assert.match(JSON.stringify(again.events), /EMFILE/)
})

test('W8 a noisy file beside the sources drops no save and makes no swap', async (t) => {
  const plugin = answeringPlugin(temporaryFolder(t), 'noisy', '0')
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  const noise = setInterval(() => appendFileSync(join(plugin.folder, 'debug.log'), 'noise\n'), 2)
  try {
    for (let version = 1; version <= 8; version += 1) {
      plugin.write('index.ts', answeringEntry('noisy', String(version)))
      const swap = await dev.swap('noisy')
      assert.equal(swap.generation, version + 1)
      assert.equal(await dev.call('noisy'), String(version))
    }
  } finally {
    clearInterval(noise)
  }
})

test('W10 a manifest that is edited while it is watched swaps once, writes the types once, and then rests (MAN-5)', async (t) => {
  const plugin = answeringPlugin(temporaryFolder(t), 'typed', 'one')
  const types = join(plugin.folder, 'plugin.types.ts')
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  await dev.server.idle()
  assert.match(readFileSync(types, 'utf8'), /export interface Typed /)
  assert.ok(existsSync(join(plugin.folder, 'node_modules', 'amber-agent', 'package.json')))
  plugin.manifest({
    entry: './index.ts',
    capabilities: { tools: [{ ...plainTool('typed'), description: 'Another description.' }] },
  })
  const edited = await dev.swap('typed')
  assert.equal(edited.generation, 2)
  assert.ok(edited.phases.types > 0 && edited.phases.build === 0)
  assert.match(readFileSync(types, 'utf8'), /Another description\./)
  const written = statSync(types).mtimeMs
  // The second look at what was written falls into this pause: a loop would show as a swap.
  await pause(200)
  plugin.write('index.ts', answeringEntry('typed', 'two'))
  assert.equal((await dev.swap('typed')).generation, 3)
  assert.equal(statSync(types).mtimeMs, written)
  assert.equal(dev.events.filter((one) => one.type === 'swap').length, 3)
})

test('W15 contributions of every kind come and go with the manifest, without a restart', async (t) => {
  const plugin = answeringPlugin(temporaryFolder(t), 'kinds', 'one')
  plugin.write('skill.md', '---\nname: notes\ndescription: d\n---\nbody')
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  const before = dev.app.snapshot().ledger
  const tools = [plainTool('kinds')]
  plugin.manifest({
    entry: './index.ts',
    capabilities: {
      tools,
      promptBlocks: [{ name: 'block', file: 'skill.md' }],
      commands: [{ root: 'kinds', help: 'Kinds' }],
      providers: [
        {
          flavor: 'openai',
          presets: [{ name: 'acme', apiBase: 'https://api.acme.test/v1', defaultModel: 'a' }],
        },
      ],
      skills: [{ name: 'notes', description: 'd', file: 'skill.md' }],
    },
  })
  const added = await dev.swap('kinds')
  assert.deepEqual(
    added.changed.map((one) => `${one.change} ${one.kind}:${one.name}`),
    ['added promptBlock:block', 'added command:kinds', 'added provider:acme', 'added skill:notes'],
  )
  assert.ok(dev.app.commandTree().has('kinds') && dev.app.snapshot().providers.presets.has('acme'))
  plugin.manifest({ entry: './index.ts', capabilities: { tools } })
  assert.equal((await dev.swap('kinds')).changed.length, 4)
  assert.deepEqual(dev.app.snapshot().ledger, before)
})

/** Whether somebody listens on a port. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

test('W18 a server that a plugin opened is gone after its swap, and the dev server leaves its own port free', async (t) => {
  const plugin = pluginFolder(temporaryFolder(t), 'serves')
  const entry = (version: string) => `import { createServer } from 'node:http'
import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>(async () => {
  const server = createServer((_, response) => response.end('${version}'))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  return { tools: { serves: { execute: () => ({ ok: true, output: String(server.address().port) }) } } }
})`
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('serves')] } })
  plugin.write('index.ts', entry('one'))
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  const old = Number(await dev.call('serves'))
  assert.ok(await answers(old))
  plugin.write('index.ts', entry('two'))
  await dev.swap('serves')
  assert.ok(await answers(Number(await dev.call('serves'))))
  while (await answers(old));

  const { port } = dev.server
  const app = await testApp(t, { home: temporaryFolder(t) })
  const deps = { app, clock: systemClock, onEvent: createEar().hear }
  await assert.rejects(startDevServer(deps, { folders: [], port }), { message: /Port \d+ is taken/ })
  await dev.server.close()
  const next = await startDevServer(deps, { folders: [], port })
  assert.equal(next.port, port)
  await next.close()
})

test('W20 a plugin that is edited during a request over HTTP holds up neither that request nor the next', async (t) => {
  const plugin = pluginFolder(temporaryFolder(t), 'busy')
  const entry = (version: string) => `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>(() => ({ tools: {
  busy: { execute: () => new Promise((resolve) => globalThis.busyStarted(() => resolve({ ok: true, output: '${version}' }))) },
  version: { execute: () => ({ ok: true, output: '${version}' }) },
} }))`
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('busy'), plainTool('version')] } })
  plugin.write('index.ts', entry('one'))
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  const post = async (tool: string) => {
    const reply = await fetch(`http://127.0.0.1:${dev.server.port}/api/tools/${tool}`, {
      method: 'POST',
      headers: { 'x-amber-token': dev.server.token, 'content-type': 'application/json' },
      body: '{}',
    })
    return JSON.parse(await reply.text())
  }
  const started = new Promise<() => void>((resolve) => Reflect.set(globalThis, 'busyStarted', resolve))
  atEnd(t, () => Reflect.deleteProperty(globalThis, 'busyStarted'))
  const running = post('busy')
  const finish = await started
  plugin.write('index.ts', entry('two'))
  await dev.swap('busy')
  assert.equal((await post('version')).output, 'two')
  finish()
  assert.equal((await running).output, 'one')
})

test('W22 an error in the dispose handler is told with its place, and the swap stands', async (t) => {
  const plugin = pluginFolder(temporaryFolder(t), 'clumsy')
  const entry = (version: string) => `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>(() => ({
  tools: { clumsy: { execute: () => ({ ok: true, output: '${version}' }) } },
  dispose: () => { throw new Error('dropped it') },
}))`
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool('clumsy')] } })
  plugin.write('index.ts', entry('one'))
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  plugin.write('index.ts', entry('two'))
  await dev.swap('clumsy')
  const warning = await dev.next('warning', (one) => one.type === 'warning' && one.plugin === 'clumsy')
  assert.match(JSON.stringify(warning), /index\.ts:4:\d+ .*dropped it/)
  assert.equal(await dev.call('clumsy'), 'two')
  plugin.write('index.ts', "throw new Error('at load')")
  const rejected = await dev.rejected('clumsy')
  assert.equal(rejected.phase, 'load')
  await dev.server.idle()
  const about = dev.events.filter((one) => JSON.stringify(one).includes('at load'))
  assert.equal(about.length, 1, 'told once')
})
