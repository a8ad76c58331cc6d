// `npm test`: makes amber ready, type-checks, lints, and runs every test. Ends in node:test's own summary.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

/** Tests that need a process, a terminal or a browser of their own; the rest share one process (15 s become 1 s). */
const APART = ['cli', 'tui', 'browser']

function step(what, args, env = {}) {
  const result = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  })
  if (result.status === 0) return
  console.error(`\n${what} failed.`)
  process.exit(result.status ?? 1)
}

function testsIn(folder) {
  const path = join(root, 'test', folder)
  return existsSync(path)
    ? readdirSync(path)
        .filter((name) => name.endsWith('.test.ts'))
        .sort()
        .map((name) => join('test', folder, name))
    : []
}

const bin = (name, file) => join(root, 'node_modules', name, file)

prepare()
const given = process.argv.slice(2)
if (given.length === 0) {
  step('The type check', [bin('typescript', 'bin/tsc'), '--noEmit'])
  step('The type check of the inspector', [bin('typescript', 'bin/tsc'), '-p', 'devserver/inspector/page'])
  step('The linter', [bin('@biomejs/biome', 'bin/biome'), 'check', '--error-on-warnings', '.'])
  step('The search for dead code', [bin('knip', 'bin/knip.js')])
}
const files = given.length > 0 ? given : ['test/together.test.ts', ...APART.flatMap(testsIn)]
// A test that hangs is told as such instead of holding everything for ever. Node counts it for a whole file, and the largest
// one takes minutes on a slow machine.
const timeout = '--test-timeout=1200000'
step(
  'The tests',
  ['--import', 'tsx', '--test', timeout, '--test-concurrency=2', '--test-reporter=spec', ...files],
  {
    NODE_NO_WARNINGS: '1',
  },
)
