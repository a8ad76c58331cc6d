import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createApp } from '../../host/app/create-app.ts'
import { systemClock } from '../../host/base/clock.ts'
import { findInstallation } from '../../host/base/installation.ts'
import { runProgram } from '../../host/cli/program.ts'
import { atEnd } from '../support/at-end.ts'
import { createFakeIo } from '../support/fake-io.ts'
import { finishChunk, sendStream, startModelServer, textChunk } from '../support/model-server.ts'
import { createRecordingSink } from '../support/recording-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testApp } from '../support/test-app.ts'

/** A chunk of the OpenAI protocol that calls a tool. */
function callChunk(name: string, args: unknown): string {
  const call = { index: 0, id: 'call_1', function: { name, arguments: JSON.stringify(args) } }
  return JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] })
}

/** The whole amber, with a model that makes one call and then says that it is done. */
async function setUp(t: TestContext, name: string, args: unknown) {
  const home = temporaryFolder(t)
  const workspace = join(home, 'ws')
  mkdirSync(workspace)
  const server = await startModelServer((response, request) => {
    const isAnswered = request.body.includes('"role":"tool"')
    if (isAnswered) sendStream(response, textChunk('done'), finishChunk(), '[DONE]')
    else sendStream(response, callChunk(name, args), finishChunk('tool_calls'), '[DONE]')
  })
  atEnd(t, () => server.close())
  const app = await testApp(t, { home, workspace, bundled: true, env: { PATH: process.env.PATH } })
  const agent = await app.createAgent({
    provider: 'custom',
    apiBase: `${server.origin}/v1`,
    model: 'm',
    mode: 'write',
    session: 'none',
  })
  const turn = () => agent.turn('go', { signal: new AbortController().signal, sink: createRecordingSink() })
  return { app, workspace, turn }
}

test('CLI-1 /undo shows what the last turn wrote, takes it back when told, and refuses what was changed since', async (t) => {
  const edits = [{ old: 'old', new: 'new' }]
  const { app, workspace, turn } = await setUp(t, 'write', { path: 'f.txt', edits })
  const file = join(workspace, 'f.txt')
  writeFileSync(file, 'old\n')
  assert.match((await app.runCommand('/undo')).text, /There is no turn that could be taken back/)
  const result = await turn()
  assert.deepEqual(
    result.toolCalls.map(({ name, ok }) => [name, ok]),
    [['write', true]],
  )
  assert.equal(readFileSync(file, 'utf8'), 'new\n')
  const shown = await app.runCommand('/undo')
  assert.match(shown.text, /-new\n\+old[\s\S]*\n\nTo take this back: \/undo yes/)
  assert.equal(readFileSync(file, 'utf8'), 'new\n')
  writeFileSync(file, 'mine\n')
  const refused = await app.runCommand('/undo yes')
  assert.equal(refused.ok, false)
  assert.match(refused.text, /-mine\n\+old[\s\S]*f\.txt has changed since, so nothing was taken back/)
  writeFileSync(file, 'new\n')
  assert.equal((await app.runCommand('/undo yes')).text, 'Taken back: f.txt.')
  assert.equal(readFileSync(file, 'utf8'), 'old\n')
})

test('SAFE-2 rules are shown, set and removed by command, and let a headless call run', async (t) => {
  const { app, workspace, turn } = await setUp(t, 'bash', { command: 'rmdir d' })
  mkdirSync(join(workspace, 'd'))
  assert.deepEqual(
    (await turn()).errors.map((error) => error.kind),
    ['denied'],
  )
  assert.equal((await app.runCommand('/get policy rule')).text, 'There are no rules for this workspace.')
  assert.match((await app.runCommand('/set policy rule allow bahs:rmdir')).text, /There is no tool bahs/)
  assert.match(
    (await app.runCommand('/set policy rule allow bash:rmdir')).text,
    /bash:rmdir is always allowed/,
  )
  assert.equal((await app.runCommand('/get policy rule')).text, 'allow  bash:rmdir  (tool_bash)')
  const { app: other, workspace: there, turn: otherTurn } = await setUp(t, 'bash', { command: 'rmdir d' })
  mkdirSync(join(there, 'd'))
  await other.runCommand('/set policy rule allow bash:rmdir')
  assert.deepEqual((await otherTurn()).errors, [])
  assert.equal(existsSync(join(there, 'd')), false)
  assert.match((await app.runCommand('/set policy rule forget bash:rmdir')).text, /forgotten/)
  assert.equal((await app.runCommand('/set policy rule forget bash:rmdir')).ok, false)
})

test('CLI-1 /job starts, lists, reads and ends programs in the background', async (t) => {
  const { app } = await setUp(t, 'bash', {})
  assert.match((await app.runCommand('/job list')).text, /No job was started/)
  assert.match((await app.runCommand('/job start echo hello; sleep 60')).text, /job-1 runs/)
  assert.deepEqual(app.choices('jobs'), ['job-1'])
  assert.match((await app.runCommand('/job list')).text, /job-1 {2}running {2}\d+ s {2}echo hello; sleep 60/)
  assert.match((await app.runCommand('/job kill job-1')).text, /job-1 {2}stopped/)
  assert.equal((await app.runCommand('/job read job-9')).ok, false)
})

test('SAFE-4 amber trust adds, lists and removes folders', async (t) => {
  const home = temporaryFolder(t)
  mkdirSync(join(home, 'ws', '.amber', 'plugins', 'p'), { recursive: true })
  writeFileSync(join(home, 'ws', '.amber', 'plugins', 'p', 'plugin.json'), '{}')
  const trust = async (...argv: readonly string[]) => {
    const io = createFakeIo({ env: { AMBER_HOME: home }, cwd: join(home, 'ws') })
    const code = await runProgram(['trust', ...argv], {
      io,
      clock: systemClock,
      installation: findInstallation(import.meta.url),
      createApp,
    })
    return { code, out: io.stdout(), err: io.stderr() }
  }
  assert.deepEqual(await trust('list'), {
    code: 0,
    out: '',
    err: 'No folder is trusted.\nTrust this one: amber trust add\n',
  })
  const added = await trust('add')
  assert.equal(added.out, `Trusted: ${join(home, 'ws')} (skills, AGENTS.md, plugins p)\n`)
  const listed: unknown = JSON.parse((await trust('list', '--json')).out)
  assert.ok(Array.isArray(listed))
  assert.deepEqual([listed[0].folder, listed[0].plugins], [join(home, 'ws'), ['p']])
  assert.equal((await trust('remove', '.')).code, 0)
  assert.equal((await trust('remove', '.')).code, 1)
  assert.equal((await trust('add', 'nowhere')).code, 1)
})
