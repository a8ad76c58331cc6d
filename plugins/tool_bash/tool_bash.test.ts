import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeclined } from 'amber-agent/sdk'
import { hasLiving } from '../../host/workspace/process/living.ts'
import { callHandler, createTestPluginHost, testCall } from '../../test/support/plugin-host.ts'
import { createShellFixture } from '../../test/support/shell-fixture.ts'
import { until } from '../../test/support/until.ts'
import toolBash from './index.ts'

type Fixture = Awaited<ReturnType<typeof createShellFixture>>

async function handler({ shell }: Fixture, name: string) {
  const host = createTestPluginHost({ id: 'tool_bash', services: { shell } })
  return callHandler(toolBash, host, ['tools', 'bash', name])
}

test('TOOL-2 bash answers the output with exit code, signal and duration', async (t) => {
  const fixture = await createShellFixture(t, { 'a.txt': 'x' })
  const execute = await handler(fixture, 'execute')
  const listed = await execute({ command: 'ls; echo e >&2' }, testCall())
  assert.ok(isRecord(listed) && isRecord(listed.meta))
  assert.equal(listed.ok, true)
  assert.equal(listed.output, 'a.txt\ne\n')
  assert.equal(listed.meta.exitCode, 0)
  assert.equal(listed.meta.signal, null)
  assert.equal(typeof listed.meta.durationMs, 'number')
})

test('TOOL-2 a command that fails is an error with its output', async (t) => {
  const execute = await handler(await createShellFixture(t), 'execute')
  const failed = await execute({ command: 'echo why; exit 3' }, testCall())
  assert.ok(isRecord(failed))
  assert.deepEqual([failed.ok, failed.error, failed.output], [false, 'exit code 3', 'why\n'])
  const silent = await execute({ command: 'sleep 9', timeout: 1 }, testCall())
  assert.match(String(isRecord(silent) && silent.error), /ended after 1 s without output/)
  const killed = await execute({ command: 'kill -9 $$' }, testCall())
  assert.match(String(isRecord(killed) && killed.error), /ended by SIGKILL/)
  const cancelled = await execute({ command: 'sleep 9' }, testCall(AbortSignal.abort()))
  assert.match(String(isRecord(cancelled) && cancelled.error), /cancelled/)
})

test('TOOL-6 bash asks by what the command does, and says what a rule would cover', async (t) => {
  const fixture = await createShellFixture(t)
  const requiresApproval = await handler(fixture, 'requiresApproval')
  const approvalScope = await handler(fixture, 'approvalScope')
  assert.equal(await requiresApproval({ command: 'ls | sort' }), false)
  assert.equal(await requiresApproval({ command: 'echo x > file' }), false)
  assert.equal(await requiresApproval({ command: 'git status && rm x' }), true)
  const scope = await approvalScope({ command: 'git push && rm x' })
  assert.ok(isRecord(scope))
  assert.deepEqual(scope.scopes, ['git push', 'rm'])
  assert.equal(scope.reason, 'destructive (git push)')
})

test('LED-3 bash declines where there is no shell', async () => {
  const entry = await toolBash.factory(createTestPluginHost({ id: 'tool_bash' }))
  assert.ok(isRecord(entry) && isRecord(entry.tools))
  assert.ok(isDeclined(entry.tools.bash))
})

test('LED-4 what a command left running ends with the plugin', async (t) => {
  const { shell } = await createShellFixture(t)
  const host = createTestPluginHost({ id: 'tool_bash', services: { shell } })
  const execute = await callHandler(toolBash, host, ['tools', 'bash', 'execute'])
  const result = await execute({ command: 'echo $$; sleep 30 &' }, testCall())
  const group = Number(/\d+/.exec(String(isRecord(result) && result.output))?.[0])
  assert.equal(hasLiving(group), true)
  host.retire()
  await until(() => !hasLiving(group), 'it ends')
})

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
