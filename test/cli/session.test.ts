import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import sessionSchema from '../../manifests/session.schema.json' with { type: 'json' }
import streamSchema from '../../manifests/stream-json.schema.json' with { type: 'json' }
import { startAmber } from '../support/amber-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Amber in a home and a workspace of its own. */
function amberIn(t: TestContext) {
  const home = temporaryFolder(t)
  const workspace = mkdtempSync(join(home, 'ws-'))
  writeFileSync(join(workspace, 'a.txt'), 'alpha\n')
  const amber = (...argv: readonly string[]) =>
    startAmber(['--workspace', workspace, ...argv], { home }).finished
  const files = () => {
    const parent = join(home, 'state', 'sessions')
    const [key = ''] = readdirSync(parent)
    return readdirSync(join(parent, key)).map((name) => join(parent, key, name))
  }
  return { home, workspace, amber, files }
}

test('CLI-1 a run is stored, listed, shown, gone on with by --continue and --resume, forked and deleted', async (t) => {
  const { amber, files } = amberIn(t)
  const first = await amber('run', 'read a.txt', '--output', 'json')
  const { session } = JSON.parse(first.out)
  assert.match(session, /^\d{8}-\d{6}-[a-z0-9]{6}$/)
  const next = await amber('run', '--continue', 'greet amber', '--output', 'json')
  assert.equal(JSON.parse(next.out).session, session)
  const third = await amber('run', '--resume', session.slice(0, 20), 'greet you', '--output', 'json')
  assert.equal(JSON.parse(third.out).session, session)
  const list = JSON.parse((await amber('session', 'list', '--json')).out)
  assert.deepEqual(
    list.map(({ id, title }: { id: string; title: string }) => [id, title]),
    [[session, 'read a.txt']],
  )
  const shown = await amber('session', 'show', session)
  assert.match(shown.out, /## User\n\nread a\.txt[\s\S]*greet amber[\s\S]*greet you/)
  const exported = JSON.parse((await amber('session', 'export', session, '--json')).out)
  assert.equal(exported.messages.filter(({ role }: { role: string }) => role === 'user').length, 3)
  const fork = (await amber('session', 'fork', session)).out.trim()
  assert.notEqual(fork, session)
  assert.equal((await amber('session', 'delete', session)).code, 0)
  assert.deepEqual(
    files().map((path) => path.split('/').at(-1)),
    [`${fork}.jsonl`],
  )
})

test('CLI-1 every line of a stored session and of stream-json fits its schema', async (t) => {
  const { amber, files } = amberIn(t)
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  const stored = ajv.compile(sessionSchema)
  const streamed = ajv.compile(streamSchema)
  const runs = [
    await amber('run', 'read a.txt then read nothing.txt', '--output', 'stream-json'),
    await amber('run', 'hi', '--output', 'stream-json', '--provider', 'nobody'),
    await amber('run', 'look at @nothing.txt', '--no-session', '--output', 'stream-json'),
  ]
  const types = new Set<string>()
  for (const { out } of runs) {
    for (const line of out.trimEnd().split('\n')) {
      const { type } = JSON.parse(line)
      types.add(type)
      assert.ok(streamed(JSON.parse(line)), `${line}: ${JSON.stringify(streamed.errors)}`)
    }
  }
  assert.deepEqual([...types].sort(), [
    'error',
    'notice',
    'session',
    'text',
    'tool.completed',
    'tool.requested',
    'turn.ended',
  ])
  const [file = ''] = files()
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    assert.ok(stored(JSON.parse(line)), `${line}: ${JSON.stringify(stored.errors)}`)
  }
})

test('CLI-1 --no-session writes nothing and says null', async (t) => {
  const { home, amber } = amberIn(t)
  const { out } = await amber('run', '--no-session', 'greet amber', '--output', 'json')
  assert.equal(JSON.parse(out).session, null)
  assert.ok(!readdirSync(home).includes('state') || !readdirSync(join(home, 'state')).includes('sessions'))
})

test('CLI-1 a session that is not there is exit code 1, and the answer says what to do', async (t) => {
  const { amber } = amberIn(t)
  for (const argv of [
    ['session', 'show', 'nope'],
    ['run', '--resume', 'nope', 'hi'],
  ]) {
    const { code, err } = await amber(...argv)
    assert.equal(code, 1)
    assert.match(err, /There is no session nope\.\nSee them all: amber session list/)
  }
  const list = await amber('session', 'list')
  assert.deepEqual([list.code, list.out], [0, ''])
  const fresh = await amber('run', '--continue', 'greet amber')
  assert.equal(fresh.code, 0)
  assert.match(fresh.err, /no session to go on with; a new one begins/)
})

test('T7 no control sequence of a prompt gets out through a listing', async (t) => {
  const { amber } = amberIn(t)
  await amber('run', 'hi \x1b[2J\x07 there')
  const { out } = await amber('session', 'list')
  assert.doesNotMatch(out, /[\x00-\x09\x0b-\x1f]/)
})

test('CLI-1 session undo shows what it takes back, and takes it back; a file changed since is left alone', async (t) => {
  const { workspace, amber } = amberIn(t)
  const { out } = await amber('run', '--yes', 'write hello to x.txt', '--output', 'json')
  const { session } = JSON.parse(out)
  const file = join(workspace, 'x.txt')
  assert.equal(readFileSync(file, 'utf8'), 'hello')
  writeFileSync(file, 'mine')
  const refused = await amber('session', 'undo', session)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /changed since/)
  writeFileSync(file, 'hello')
  const undone = await amber('session', 'undo', session)
  assert.deepEqual([undone.code, readdirSync(workspace)], [0, ['a.txt']], undone.err)
  assert.match(undone.out, /^--- a\/x\.txt\n[\s\S]*-hello[\s\S]*Taken back: x\.txt, and 4 messages\.\n$/)
  const again = await amber('session', 'undo', session)
  assert.equal(again.code, 1)
})
