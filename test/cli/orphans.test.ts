import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hasLiving } from '../../host/workspace/process/living.ts'
import { startAmber } from '../support/amber-process.ts'
import { atEnd } from '../support/at-end.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

/** An amber whose command has written the number of its process group, and runs on. */
async function running(t: TestContext) {
  const home = temporaryFolder(t)
  const workspace = join(home, 'ws')
  mkdirSync(workspace)
  const command = 'echo $$ > group; sleep 300 & sleep 300'
  const amber = startAmber(
    ['run', '--no-session', '--yes', '--provider', 'rehearsal', '--workspace', workspace, `run "${command}"`],
    { home },
  )
  atEnd(t, () => amber.kill('SIGKILL'))
  const file = join(workspace, 'group')
  await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'), 'the command runs')
  return { amber, group: Number(readFileSync(file, 'utf8')) }
}

test('LED-4 a crash of amber leaves no orphan', async (t) => {
  const { amber, group } = await running(t)
  assert.equal(hasLiving(group), true)
  amber.kill('SIGKILL')
  await amber.finished
  await until(() => !hasLiving(group), 'what amber started ends with it')
})

test('B11 an interrupted run ends its command, and itself at once', async (t) => {
  const { amber, group } = await running(t)
  amber.kill('SIGINT')
  const { code } = await amber.finished
  assert.equal(code, 130)
  assert.equal(hasLiving(group), false)
})
