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
