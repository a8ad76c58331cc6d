import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { startAmber } from '../support/amber-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('CLI-2 a home that cannot be made hangs nothing: the turn runs, and nothing is kept', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'file')
  writeFileSync(file, 'no folder')
  for (const home of ['/proc/nope', '/dev/null/nope', join(file, 'below')]) {
    const { code, out } = await startAmber(['run', 'greet amber'], {
      home: folder,
      env: { AMBER_HOME: home },
    }).finished
    assert.equal(code, 0, home)
    assert.match(out, /Hello, amber!/)
  }
})
