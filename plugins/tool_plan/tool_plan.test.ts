import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestHost } from '../../host/testing/index.ts'
import type { Todo } from '../../sdk/index.ts'

function todoService() {
  const lists = new Map<string, readonly Todo[]>()
  return {
    lists,
    list: async (conversation: string) => lists.get(conversation) ?? [],
    replace: async (conversation: string, todos: readonly Todo[]) => {
      lists.set(conversation, todos)
    },
  }
}

test('SET-1 tool_plan replaces the list of the conversation and says how far it is', async (t) => {
  const todos = todoService()
  const host = createTestHost({ services: { todos } })
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  const list = [
    { id: '1', text: 'Read', status: 'completed' },
    { id: '2', text: 'Write', status: 'in_progress' },
    { id: '3', text: 'Dance', status: 'cancelled' },
  ]
  const result = await host.callTool('todowrite', { todos: list })
  assert.equal(result.output, '[x] 1 Read\n[~] 2 Write\n[-] 3 Dance\n1 of 2 done, now: Write')
  assert.deepEqual([...todos.lists.values()], [list])
  const empty = await host.callTool('todowrite', { todos: [] })
  assert.equal(empty.output, 'The list is empty now.')
})

test('TOOL-4 tool_plan refuses a status that there is not, and an id that stands twice', async (t) => {
  const todos = todoService()
  const host = createTestHost({ services: { todos } })
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  const wrong = await host.callTool('todowrite', { todos: [{ id: '1', text: 'Read', status: 'started' }] })
  assert.match(wrong.error ?? '', /status/)
  const one = { id: '1', text: 'Read', status: 'pending' }
  const twice = await host.callTool('todowrite', { todos: [one, one] })
  assert.match(twice.error ?? '', /Two items have the id 1/)
  assert.equal(todos.lists.size, 0)
})

test('LED-3 without a todo store the tool and its prose decline, and the plugin stays active', async (t) => {
  const host = createTestHost({ services: {} })
  t.after(() => host.dispose())
  const plugin = await host.install(import.meta.url)
  assert.equal(plugin.state, 'active')
  assert.deepEqual(
    host.ledger().map(({ name, status }) => `${name} ${status}`),
    ['todowrite declined', 'tool_plan declined'],
  )
  assert.deepEqual(await host.promptBlocks(), [])
})

test('LED-4 tool_plan leaves nothing behind', async (t) => {
  const host = createTestHost({ services: { todos: todoService() } })
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  assert.equal((await host.promptBlocks()).length, 1)
  await host.assertCleanRemoval()
})
