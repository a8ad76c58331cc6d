import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { amberArguments, environment, startAmber } from '../support/amber-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Runs a line of bash in which `"$@"` is amber. */
function bash(line: string, home: string): Promise<{ readonly out: string; readonly err: string }> {
  return new Promise((resolve, reject) => {
    const argv = ['-c', line, 'bash', process.execPath, ...amberArguments]
    execFile('bash', argv, { env: environment(home), cwd: home }, (error, out, err) => {
      if (error) reject(error)
      else resolve({ out, err })
    })
  })
}

const COMMANDS = [
  'run "greet amber"',
  'run --output json "greet amber"',
  'run --output stream-json "greet amber"',
  'plugin list',
  'provider list --json',
  'doctor',
  'command hello greet amber',
  'completion bash',
  '--help',
  '--version',
]
for (const command of COMMANDS) {
  test(`CLI-2 output that cannot be written is a failure, said in one line: ${command}`, async (t) => {
    const line = `"$@" ${command} </dev/null 2>err.txt >/dev/full; echo "exit $?"; cat err.txt`
    const { out } = await bash(line, temporaryFolder(t))
    const [exit, ...said] = out.trimEnd().split('\n')
    assert.notEqual(exit, 'exit 0')
    assert.equal(
      said.filter((one) => /^error: standard output could not be written/.test(one)).length,
      1,
      out,
    )
    assert.doesNotMatch(out, /\n {4}at |Node\.js v/)
  })
}

test('CLI-3 a refusal of the system is told with a remedy, and is no fault of amber', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'file'), '')
  for (const argv of [
    ['config', 'set', 'model', 'x'],
    ['trust', 'add'],
  ]) {
    const { code, err } = await startAmber(argv, { home: join(folder, 'file') }).finished
    assert.equal(code, 1, err)
    assert.equal(err.trimEnd().split('\n').length, 2, err)
    assert.match(err, /ENOTDIR/)
    assert.doesNotMatch(err, /fault of amber/)
  }
})

test('CLI-3 a working folder that was deleted is told in two lines', async (t) => {
  const home = temporaryFolder(t)
  mkdirSync(join(home, 'gone'))
  const line =
    'cd gone; rmdir ../gone; "$@" plugin list </dev/null 2>../err.txt; echo "exit $?"; cat ../err.txt; "$@" --help >/dev/null; echo "help $?"'
  const { out } = await bash(line, home)
  const lines = out.trimEnd().split('\n')
  assert.equal(lines[0], 'exit 3', out)
  assert.match(lines[1] ?? '', /^error: The folder .* is gone/)
  assert.equal(lines.length, 4, out)
  assert.equal(lines[3], 'help 0')
})
