import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { environment } from '../support/amber-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((item) => {
    const path = join(folder, item.name)
    if (item.isDirectory()) return sources(path)
    return item.name.endsWith('.ts') ? [path] : []
  })
}

test('the screen is behind its door: nobody outside imports more of it than types, but at run time', () => {
  const outside = sources(join(root, 'host')).filter((file) => !file.includes('/host/tui/'))
  const wrong = outside.filter((file) =>
    /^import (?!type)[^\n]*'[^']*\/tui\/[^']*'/m.test(readFileSync(file, 'utf8')),
  )
  assert.deepEqual(wrong, [])
})

const built = join(root, 'dist', 'amber.js')
const skip = existsSync(built) ? false : 'amber is not built'

test('a headless run loads nothing of the screen', { skip }, () => {
  const home = mkdtempSync(join(tmpdir(), 'amber-door-'))
  try {
    // The launcher reads each part of the program with `fs` when it is asked for.
    const hook = `const fs = require('node:fs'); const read = fs.readFileSync; fs.readFileSync = (file, ...rest) => { if (String(file).includes('tui.cjs')) process.stderr.write('LOADED'); return read(file, ...rest) }`
    const probe = join(home, 'probe.cjs')
    writeFileSync(probe, hook)
    const run = (argv: readonly string[]) =>
      spawnSync(process.execPath, ['--require', probe, built, ...argv], {
        env: environment(home),
        cwd: home,
        encoding: 'utf8',
        input: '',
      })
    const headless = run(['run', '--no-session', 'greet amber'])
    assert.equal(headless.status, 0, headless.stderr)
    assert.doesNotMatch(headless.stderr, /LOADED/)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})
