import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { startAmber } from '../support/amber-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('CLI-2 a home that cannot be made hangs nothing: the turn runs, and says what is not kept', async (t) => {
  const home = temporaryFolder(t)
  const { code, out, err } = await startAmber(['run', 'greet amber'], {
    home,
    env: { AMBER_HOME: '/proc/nope' },
  }).finished
  assert.equal(code, 0)
  assert.match(out, /Hello, amber!/)
  assert.match(err, /cannot be written/)
})

test('CLI-1 a home below a file is a mistake in the configuration, said in plain words', async (t) => {
  const home = temporaryFolder(t)
  const file = join(home, 'file')
  writeFileSync(file, 'no folder')
  const { code, err } = await startAmber(['run', 'greet amber'], {
    home,
    env: { AMBER_HOME: join(file, 'below') },
  }).finished
  assert.equal(code, 3)
  assert.match(err, /cannot be read/)
})
