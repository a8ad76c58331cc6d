import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { amberArguments, environment, startAmber } from '../support/amber-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Runs a line of bash in which `"$@"` is amber; the last word of its output is amber's exit code. */
function bash(line: string, home: string): Promise<{ readonly out: string; readonly err: string }> {
  return new Promise((resolve, reject) => {
    const argv = ['-c', line, 'bash', process.execPath, ...amberArguments]
    execFile('bash', argv, { env: environment(home) }, (error, out, err) => {
      if (error) reject(error)
      else resolve({ out, err })
    })
  })
}

test('CLI-1 --version prints the version', async (t) => {
  const { code, out } = await startAmber(['--version'], { home: temporaryFolder(t) }).finished
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  assert.deepEqual([code, out], [0, `${version}\n`])
})

test('CLI-1 with nothing configured the rehearsal answers, says what it is, and calls tools', async (t) => {
  const home = temporaryFolder(t)
  const { code, out, err } = await startAmber(['run', 'greet amber', '--output', 'json'], { home }).finished
  assert.equal(code, 0, err)
  const result = JSON.parse(out)
  assert.equal(result.provider, 'rehearsal')
  assert.equal(result.toolCalls[0]?.name, 'greet')
  assert.match(result.text, /Hello, amber!/)
  assert.match(err, /rehearsal, not a model/)
})

test('CMD-8 a slash command of a plugin runs headless', async (t) => {
  const home = temporaryFolder(t)
  const { code, out } = await startAmber(['command', 'hello', 'greet', 'amber'], { home }).finished
  assert.deepEqual([code, out], [0, 'Hello, amber!\n'])
})

test('H1 an idle pipe, a prompt, a provider named and no key: exits 3 fast', async (t) => {
  const started = startAmber(['run', 'hi', '--provider', 'openai'], {
    home: temporaryFolder(t),
    stdin: 'pipe',
  })
  const { code, out, err } = await started.finished
  assert.deepEqual([code, out], [3, ''])
  assert.match(err, /OPENAI_API_KEY/)
  assert.ok(err.trimEnd().split('\n').length <= 2, err)
})

test('H1 an idle pipe and a prompt: the turn runs', async (t) => {
  const started = startAmber(['run', 'greet amber'], { home: temporaryFolder(t), stdin: 'pipe' })
  const { code, out, err } = await started.finished
  assert.equal(code, 0, err)
  assert.match(out, /Hello, amber!/)
})

test('H2 output piped into head -1: exit 0, quiet', async (t) => {
  const line =
    '"$@" run "greet amber" --output stream-json </dev/null | head -1 >/dev/null; echo "exit ${PIPESTATUS[0]}"'
  const { out, err } = await bash(line, temporaryFolder(t))
  assert.equal(out, 'exit 0\n')
  assert.doesNotMatch(err, /EPIPE|Error|\n {4}at /)
})

test('CLI-2 output to a file is complete', async (t) => {
  const home = temporaryFolder(t)
  const file = join(home, 'out.jsonl')
  const line = `"$@" run "greet amber" --output stream-json </dev/null >'${file}' 2>/dev/null; echo "exit $?"`
  assert.equal((await bash(line, home)).out, 'exit 0\n')
  const records = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text))
  assert.equal(records.at(-1).type, 'turn.ended')
})

test('CLI-1 exit 2 for an unknown command, in two lines', async (t) => {
  const { code, out, err } = await startAmber(['rnu'], { home: temporaryFolder(t) }).finished
  assert.deepEqual([code, out], [2, ''])
  assert.match(err, /^error: unknown command 'rnu'\n/)
})

test('CLI-1 exit 130: interrupted while it waits', async (t) => {
  const started = startAmber(['run'], { home: temporaryFolder(t), stdin: 'pipe' })
  await started.sees('rehearsal')
  started.kill('SIGINT')
  const { code, out } = await started.finished
  assert.deepEqual([code, out], [130, ''])
})
