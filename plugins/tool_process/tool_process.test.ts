import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { isDeclined } from 'amber-agent/sdk'
import { systemClock } from '../../host/base/clock.ts'
import { createJobsService } from '../../host/workspace/process/jobs-service.ts'
import { hasLiving } from '../../host/workspace/process/living.ts'
import { callHandler, createTestPluginHost, testCall } from '../../test/support/plugin-host.ts'
import { createShellFixture } from '../../test/support/shell-fixture.ts'
import { until } from '../../test/support/until.ts'
import toolProcess from './index.ts'

/** The three tools on real processes; each answers its output, or its error. */
async function setUp(t: TestContext, handedOver?: unknown) {
  const { root, groups, shell } = await createShellFixture(t, { 'd/f': '' })
  const jobs = createJobsService({
    clock: systemClock,
    groups,
    env: { PATH: process.env.PATH },
    keyNames: async () => [],
    folder: async (path) =>
      path.startsWith('..') ? { ok: false, error: 'outside' } : { ok: true, path: `${root}/${path}` },
  })
  const host = createTestPluginHost({ id: 'tool_process', services: { jobs, shell }, handedOver })
  const call = async (name: string, args: unknown) => {
    const execute = await callHandler(toolProcess, host, ['tools', `process_${name}`, 'execute'])
    const result = await execute(args, testCall())
    assert.ok(typeof result === 'object' && result !== null)
    return String(Reflect.get(result, 'output') ?? Reflect.get(result, 'error'))
  }
  /** Reads until the job says something that matches. */
  const reads = async (id: string, wanted: RegExp) => {
    let all = ''
    await until(async () => {
      all += `${await call('read', { id })}\n`
      return wanted.test(all)
    }, `${wanted}`)
    return all
  }
  return { root, jobs, host, call, reads }
}

test('TOOL-2 a job runs in the background, is read piece by piece, and is stopped with its group', async (t) => {
  const { call, reads, jobs } = await setUp(t)
  assert.match(
    await call('start', { command: 'echo $$; sleep 60 & echo ready; read x; sleep 60' }),
    /^Started job-1\. It ends after 600 s at the latest, or after 30 s without output\./,
  )
  const first = await reads('job-1', /ready/)
  assert.match(first, /job-1 runs since [\d.]+ s; it ends in \d+ s, or in \d+ s without output/)
  assert.match(await call('read', { id: 'job-1' }), /\n\[no new output\]$/)
  assert.match(await call('read', { id: 'job-1', all: true }), /\nready\n$/)
  assert.deepEqual(jobs.running().count, 1)
  const group = Number(/\n(\d+)\n/.exec(first)?.[1])
  assert.equal(hasLiving(group), true)
  assert.match(await call('stop', { id: 'job-1' }), /job-1 was stopped after/)
  assert.equal(hasLiving(group), false)
  assert.equal(jobs.running().count, 0)
})

test('TOOL-2 a job that ends says how, and one that is silent or too long is ended', async (t) => {
  const { call, reads } = await setUp(t)
  await call('start', { command: 'pwd; exit 4', cwd: 'd' })
  assert.match(await reads('job-1', /ended/), /\/d\n/)
  assert.match(await call('read', { id: 'job-1', all: true }), /ended after [\d.]+ s, exit code 4/)
  await call('start', { command: 'sleep 60', idle_timeout: 1 })
  await call('start', { command: 'while :; do echo x; sleep 0.1; done', timeout: 1, idle_timeout: 0 })
  assert.match(await reads('job-2', /was ended/), /printed nothing for too long/)
  assert.match(await reads('job-3', /was ended/), /its time was up/)
})

test('TOOL-2 a job keeps its last mebibyte, and a reading says what is missing', async (t) => {
  const { call, reads, jobs } = await setUp(t)
  await call('start', { command: 'yes 0123456789 | head -c 3000000; echo; echo last; sleep 60' })
  await reads('job-1', /last/)
  const all = await jobs.read('job-1', { all: true })
  assert.ok(all.ok)
  assert.ok(all.output.endsWith('\nlast\n'))
  assert.ok(Buffer.byteLength(all.output) <= 60 * 1024)
  assert.equal(all.leftOutBytes + Buffer.byteLength(all.output), 3_000_006)
})

test('TOOL-2 an unknown job, a folder outside and a shell that is missing are errors that say what to do', async (t) => {
  const { call } = await setUp(t)
  assert.match(await call('read', { id: 'job-9' }), /There is no job "job-9"\. None was started\./)
  assert.match(await call('start', { command: 'ls', cwd: '../x' }), /outside/)
  await call('start', { command: 'sleep 60' })
  assert.match(await call('stop', { id: 'x' }), /There are job-1\./)
})

test('LED-4 switching the plugin off ends its jobs; a reload hands them on', async (t) => {
  const { jobs, host, call } = await setUp(t)
  const entry = await toolProcess.factory(host)
  assert.ok(typeof entry === 'object' && entry !== null)
  const execute = Reflect.get(Reflect.get(Reflect.get(entry, 'tools'), 'process_start'), 'execute')
  await execute({ command: 'sleep 60' })
  const dispose = Reflect.get(entry, 'dispose')
  assert.deepEqual(await dispose('reload'), { handedOver: ['job-1'] })
  assert.equal((await jobs.list())[0]?.state, 'running')
  const next = await toolProcess.factory(
    createTestPluginHost({ id: 'tool_process', services: { jobs }, handedOver: ['job-1'] }),
  )
  assert.ok(typeof next === 'object' && next !== null)
  await Reflect.get(next, 'dispose')('disable')
  assert.equal((await jobs.list())[0]?.state, 'stopped')
  assert.match(await call('read', { id: 'job-1' }), /was stopped/)
})

test('SAFE-2 a rule for a job covers what the command does', async (t) => {
  const { host } = await setUp(t)
  const scope = await callHandler(toolProcess, host, ['tools', 'process_start', 'approvalScope'])
  assert.deepEqual(await scope({ command: 'npm run dev' }), {
    scopes: ['npm run dev'],
    reason: 'unknown (npm run)',
  })
  assert.deepEqual(await scope({ command: 'ls' }), { scopes: ['ls'], reason: 'read-only' })
})

test('LED-3 the process tools decline where there are no jobs', async () => {
  const entry = await toolProcess.factory(createTestPluginHost({ id: 'tool_process' }))
  assert.ok(typeof entry === 'object' && entry !== null)
  for (const name of ['process_start', 'process_read', 'process_stop'])
    assert.ok(isDeclined(Reflect.get(Reflect.get(entry, 'tools'), name)))
})
