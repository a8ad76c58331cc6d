import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { readSession } from '../../host/session/read-session.ts'
import { createStoreFixture, SPEAKER } from '../support/session-fixture.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KILLS = 200
const AT_ONCE = 4

async function buildWriter(t: TestContext): Promise<string> {
  const outfile = join(temporaryFolder(t), 'writer.cjs')
  const entry = fileURLToPath(new URL('../support/session-writer.ts', import.meta.url))
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  })
  return outfile
}

/** Runs a writer, kills it at some instant after its first word, and gives what it had acknowledged. */
async function runAndKill(
  writer: string,
  argv: readonly string[],
  when: { readonly ms: number } | { readonly message: number },
): Promise<{ readonly id: string; readonly acknowledged: readonly number[]; readonly errors: string }> {
  const child = spawn(process.execPath, [writer, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  child.stdout.setEncoding('utf8').on('data', (text) => {
    if (out === '' && 'ms' in when) setTimeout(() => child.kill('SIGKILL'), when.ms)
    out += text
    if ('message' in when && out.includes(`\n${when.message}\n`)) child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.on('close', resolve))
  const lines = out.split('\n').slice(0, -1)
  const id = lines.find((line) => line.startsWith('id '))?.slice(3) ?? ''
  return { id, errors, acknowledged: lines.filter((line) => !line.startsWith('id ')).map(Number) }
}

async function chain(t: TestContext, writer: string, kills: number): Promise<number> {
  const { store, parent, pathOf } = createStoreFixture(t)
  let id = ''
  let next = 0
  let torn = 0
  for (let kill = 0; kill < kills; kill++) {
    const argv = [parent, id, String(next)]
    const run = await runAndKill(writer, argv, { ms: Math.random() * 8 })
    // A lock of a killed process troubles nobody, and a line that it left half is all that is told.
    assert.match(
      run.errors,
      /^(?:Session \S+: Line \d+ was cut off while it was written, and was left out\.\n)?$/,
    )
    if (id !== '') assert.equal(run.id, id, 'the very session was taken up')
    id = run.id
    const read = await readSession(pathOf(id))
    if (read.kind === 'absent') {
      assert.deepEqual(run.acknowledged, [])
      id = ''
      continue
    }
    assert.equal(read.kind, 'session')
    if (read.kind !== 'session') continue
    if (read.tail === 'torn') torn++
    const numbers = read.records.flatMap((record) =>
      record.type === 'message' ? [Number(record.message.text.split(' ', 1)[0])] : [],
    )
    assert.deepEqual(
      numbers,
      numbers.map((_, at) => at),
      'every message once, in order',
    )
    const last = run.acknowledged.at(-1) ?? next - 1
    assert.ok(numbers.length > last, `message ${last} was acknowledged, and ${numbers.length} are there`)
    assert.equal(read.warnings.length, read.tail === 'torn' ? 1 : 0)
    next = numbers.length
    if (next > 40) {
      // The next chain of files begins small again, so that the test stays quick.
      id = ''
      next = 0
    }
  }
  if (id !== '') {
    const session = await store.open(id, SPEAKER)
    assert.equal(session.stored?.messages.length, next)
    session.close()
  }
  return torn
}

test('SES-1 killed 200 times at random instants: nothing acknowledged is lost, and every file resumes', {
  timeout: 120_000,
}, async (t) => {
  const writer = await buildWriter(t)
  const chains = Array.from({ length: AT_ONCE }, () => chain(t, writer, KILLS / AT_ONCE))
  await Promise.all(chains)
})

test('SES-1 a torn line, made by hand, is taken away by the next writer', async (t) => {
  const writer = await buildWriter(t)
  const { store, parent, pathOf } = createStoreFixture(t)
  const first = await runAndKill(writer, [parent, '', '0'], { message: 3 })
  const { size } = await stat(pathOf(first.id))
  await truncate(pathOf(first.id), size - 30)
  const before = await store.read(first.id)
  const kept = before.conversation.messages.length
  const second = await runAndKill(writer, [parent, first.id, String(kept)], { message: kept + 2 })
  assert.match(second.errors, /was cut off while it was written/)
  const after = await readSession(pathOf(first.id))
  assert.ok(after.kind === 'session' && after.records.length >= kept)
})
