import assert from 'node:assert/strict'
import test from 'node:test'
import { startAmber } from '../support/amber-process.ts'
import { plainTool, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const misdeeds = [
  ['throws in a timer', "setTimeout(() => { throw new Error('from a timer') }, 1)", 'from a timer'],
  ['rejects a promise that nobody awaits', "Promise.reject(new Error('from a promise'))", 'from a promise'],
  [
    'throws in a timer of a library that it cannot own',
    "globalThis.setTimeout(() => { throw new Error('from a stray timer') }, 1)",
    'from a stray timer',
  ],
  ['never stops an interval', 'setInterval(() => {}, 5)', undefined],
  ['listens on the process', "process.on('exit', () => { throw new Error('at exit') })", undefined],
  ['exits in an event', "host.on('turn.started', () => process.exit(9))", undefined],
  ['exits in a promise', 'Promise.resolve().then(() => process.exit(9))', 'a plugin cannot end amber'],
] as const

for (const [what, code, message] of misdeeds) {
  test(`LED-9 a plugin that ${what} does not take amber along, and is named`, async (t) => {
    const home = temporaryFolder(t)
    const plugin = pluginFolder(home, 'misdeed')
    plugin.manifest({
      entry: './index.ts',
      activation: 'startup',
      capabilities: { tools: [plainTool('linger')] },
    })
    plugin.write(
      'index.ts',
      `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>((host) => {
  ${code}
  return { tools: { linger: { execute: async () => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    return { ok: true, output: 'still here' }
  } } } }
})`,
    )
    const amber = startAmber(['run', '--output', 'json', '--plugin', plugin.folder, 'linger'], { home })
    const { code: exit, out, err } = await amber.finished
    const result = JSON.parse(out)
    if (what === 'exits in an event') {
      // An interceptor of a gate that throws vetoes (EVT-3): the turn is refused, amber lives.
      assert.equal(exit, 1)
      assert.match(JSON.stringify(result.errors), /misdeed/)
      return
    }
    assert.equal(exit, 0, err)
    assert.match(result.text, /still here/)
    if (message === undefined) return
    const found = result.pluginErrors.find((one: { message: string }) => one.message.includes(message))
    assert.ok(found, `no ${message} in ${JSON.stringify(result.pluginErrors)}`)
    assert.equal(found.file, `${plugin.folder}/index.ts`)
    assert.equal(found.line, 3)
  })
}

const left = [
  ['a child that cannot start', "require('node:child_process').spawn('no-such-command-of-amber')"],
  ['a connection that is refused', "require('node:net').connect(1, '127.0.0.1')"],
  ['a request that is refused', "require('node:http').get('http://127.0.0.1:1/')"],
  ['a stream of a file that is not there', "require('node:fs').createReadStream('/absent')"],
  [
    'a callback that throws what Node gave it',
    "require('node:fs').readFile('/absent', (error) => { throw error })",
  ],
  ['a promise of Node that nobody awaits', "require('node:fs/promises').readFile('/absent')"],
  ['a fetch that nobody awaits', "fetch('http://127.0.0.1:1/')"],
  ['text that is no JSON', "Promise.resolve('{').then(JSON.parse)"],
  ['a damaged archive', "require('node:zlib').createGunzip().end('x')"],
  ['a thrown text', "queueMicrotask(() => { throw 'just a text' })"],
  [
    'a worker that throws',
    "const worker = new (require('node:worker_threads').Worker)('throw new Error(1)', { eval: true }); await new Promise((resolve) => worker.once('exit', resolve))",
  ],
  ['an exit through the module', "import('node:process').then(({ exit }) => exit(8))"],
  ['an exit through the global', 'Promise.resolve().then(() => globalThis.process.exit(8))'],
] as const

for (const [what, code] of left) {
  test(`LED-9 ${what}, left behind by a plugin, ends neither the turn nor amber, and names the plugin`, async (t) => {
    const home = temporaryFolder(t)
    const plugin = pluginFolder(home, 'misdeed')
    plugin.manifest({ entry: './index.js', capabilities: { tools: [plainTool('linger')] } })
    plugin.write(
      'index.js',
      `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin(() => ({ tools: { linger: { execute: async () => {
  ${code}
  await new Promise((resolve) => setTimeout(resolve, 300))
  return { ok: true, output: 'still here' }
} } } }))`,
    )
    const amber = startAmber(['run', '--output', 'json', '--plugin', plugin.folder, 'linger'], { home })
    const { code: exit, out, err } = await amber.finished
    assert.equal(exit, 0, err)
    const result = JSON.parse(out)
    assert.match(result.text, /still here/)
    assert.match(JSON.stringify(result.pluginErrors), /plugin misdeed/)
  })
}

test('CLI-1 a call that never settles is waited for, ends at the time limit with exit code 1, and not with 0', async (t) => {
  const home = temporaryFolder(t)
  const plugin = pluginFolder(home, 'stuck')
  plugin.manifest({ entry: './index.js', capabilities: { tools: [plainTool('stuck')] } })
  plugin.write(
    'index.js',
    "import { definePlugin } from 'amber-agent/sdk'\nexport default definePlugin(() => ({ tools: { stuck: { execute: () => new Promise(() => {}) } } }))",
  )
  const amber = startAmber(
    ['run', '--output', 'json', '--timeout', '1', '--plugin', plugin.folder, 'stuck'],
    { home },
  )
  const started = Date.now()
  const { code, out } = await amber.finished
  assert.equal(code, 1)
  assert.equal(JSON.parse(out).finishReason, 'timeout')
  assert.ok(Date.now() - started < 15_000)
})

test('CLI-1 what a plugin writes to standard output reaches the log, not the one object of --output json', async (t) => {
  const home = temporaryFolder(t)
  const plugin = pluginFolder(home, 'chatty')
  plugin.manifest({ entry: './index.js', capabilities: { tools: [plainTool('chatty')] } })
  plugin.write(
    'index.js',
    `import { definePlugin } from 'amber-agent/sdk'
import { stdout } from 'node:process'
export default definePlugin(() => ({ tools: { chatty: { execute: () => {
  process.stdout.write('RAW\\n'); stdout.write('RAW\\n'); console.group('GROUP'); console.count(); console.table([[1]])
  console.time('T'); console.timeEnd('T')
  return { ok: true, output: 'quiet' }
} } } }))`,
  )
  const { code, out } = await startAmber(['run', '--output', 'json', '--plugin', plugin.folder, 'chatty'], {
    home,
  }).finished
  assert.equal(code, 0)
  assert.equal(JSON.parse(out).toolCalls.length, 1)
})
