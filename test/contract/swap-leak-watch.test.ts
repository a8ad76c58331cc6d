import assert from 'node:assert/strict'
import test from 'node:test'
import { testDevServer } from '../support/dev-server.ts'
import { answeringEntry, answeringPlugin } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const leaking = (answer: string) =>
  answeringEntry('weather', answer).replace(
    'export default',
    "const kept = (globalThis as any).weatherOfTest ??= []\nkept.push(() => 'kept')\nexport default",
  )

test('SWAP-9 versions that stay in memory are told once, at the line that reaches out, with what to do', async (t) => {
  const parent = temporaryFolder(t)
  const plugin = answeringPlugin(parent, 'weather', 'one')
  const sound = answeringPlugin(parent, 'sound', 'one')
  const dev = await testDevServer(t, { folders: [plugin.folder, sound.folder] })
  for (const answer of ['two', 'three', 'four', 'five', 'six']) {
    plugin.write('index.ts', leaking(answer))
    await dev.swap('weather')
    sound.write('index.ts', answeringEntry('sound', answer))
    await dev.swap('sound')
  }
  const event = await dev.next('leak', (one) => one.type === 'warning')
  Reflect.deleteProperty(globalThis, 'weatherOfTest')
  assert.ok(event.type === 'warning' && event.diagnostic)
  const { file, line, severity, message, hint } = event.diagnostic
  assert.deepEqual(
    [event.plugin, severity, `${file}:${line}`],
    ['weather', 'warning', `${plugin.folder}/index.ts:2`],
  )
  assert.match(message, /\d versions that were swapped out stay in memory.*the global weatherOfTest/)
  assert.match(hint ?? '', /take back in dispose/)
  assert.equal(dev.events.filter((one) => one.type === 'warning').length, 1)
})
