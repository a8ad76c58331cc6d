import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startCommandLine } from '../support/command-line.ts'
import { answeringPlugin } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Installs a plugin at a terminal, where somebody answers. */
async function answered(t: TestContext, answer: string) {
  const home = temporaryFolder(t)
  const { folder } = answeringPlugin(temporaryFolder(t), 'weather', 'sunny')
  const amber = startCommandLine(['plugin', 'install', folder], { home, terminal: true })
  // In this order.
  for (const text of ['It adds:\n  tool  weather\n', 'your own rights', 'Install it?']) await amber.sees(text)
  amber.types(answer)
  const code = await amber.code
  const told = amber.io.stdout() + amber.io.stderr()
  return { code, told, isInstalled: existsSync(join(home, 'config', 'plugins', 'weather', 'plugin.json')) }
}

test('CLI-1 plugin install shows what comes before it asks, and yes installs it', async (t) => {
  const { code, told, isInstalled } = await answered(t, 'yes\n')
  assert.deepEqual([code, isInstalled], [0, true])
  assert.match(told, /is installed/)
})

test('CLI-1 plugin install: anything but yes, Ctrl-C and the end of the terminal leave everything as it was', async (t) => {
  for (const answer of ['no\n', '\n', 'yess\n', '\u0003', '\u0004']) {
    const { code, told, isInstalled } = await answered(t, answer)
    assert.deepEqual([code, isInstalled], [1, false], JSON.stringify(answer))
    assert.match(told, /was not installed/)
  }
})
