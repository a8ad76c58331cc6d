import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestHost } from '../../host/testing/index.ts'
import type { SubagentService } from '../../sdk/index.ts'

type Task = Parameters<SubagentService['run']>[0]

async function hostWith(answer: Awaited<ReturnType<SubagentService['run']>>) {
  const tasks: Task[] = []
  const host = createTestHost({
    services: {
      subagents: {
        run: async (task) => {
          tasks.push(task)
          return answer
        },
      },
    },
  })
  await host.install(import.meta.url)
  return { host, tasks }
}

test('SET-1 tool_task gives the prompt on, and answers the last text', async (t) => {
  const { host, tasks } = await hostWith({ ok: true, text: 'There are three.', calls: 2 })
  t.after(() => host.dispose())
  const result = await host.callTool('task', { prompt: 'Count the tests.' })
  assert.deepEqual(result, { ok: true, output: 'There are three.', meta: { calls: 2 } })
  assert.equal(tasks[0]?.prompt, 'Count the tests.')
  assert.equal(tasks[0]?.conversation, 'outside')
})

test('TOOL-3 a sub-agent that stopped is an error with what it said so far', async (t) => {
  const { host } = await hostWith({
    ok: false,
    error: 'The sub-agent stopped: 20 requests.',
    text: 'I found one.',
  })
  t.after(() => host.dispose())
  const result = await host.callTool('task', { prompt: 'Count.' })
  assert.equal(result.ok, false)
  assert.equal(result.error, 'The sub-agent stopped: 20 requests.')
  assert.equal(result.output, 'Its last words:\nI found one.')
})

test('LED-3 without sub-agents the tool and its prose decline', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  assert.ok(host.ledger().every(({ status }) => status === 'declined'))
  assert.deepEqual(await host.promptBlocks(), [])
})

test('LED-4 tool_task leaves nothing behind', async (t) => {
  const { host } = await hostWith({ ok: true, text: 'x', calls: 0 })
  t.after(() => host.dispose())
  await host.assertCleanRemoval()
})
