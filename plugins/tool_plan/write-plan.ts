import type { Todo, TodoService, ToolCall, ToolResult } from 'amber-agent/sdk'

const MARKS: Readonly<Record<Todo['status'], string>> = {
  pending: '[ ]',
  in_progress: '[~]',
  completed: '[x]',
  cancelled: '[-]',
}

/** Runs a call of `todowrite`: the list as it now is, and what is left of it. */
export async function writePlan(
  todos: TodoService,
  list: readonly Todo[],
  call: Pick<ToolCall, 'conversation'>,
): Promise<ToolResult> {
  const twice = list.find((one, at) => list.findIndex(({ id }) => id === one.id) !== at)
  if (twice !== undefined) {
    return { ok: false, error: `Two items have the id ${twice.id}. Give each its own; nothing was changed.` }
  }
  await todos.replace(call.conversation, list)
  return { ok: true, output: showPlan(list), meta: { todos: list } }
}

/** The list, one item a line, and how far it is. */
export function showPlan(list: readonly Todo[]): string {
  if (list.length === 0) return 'The list is empty now.'
  const lines = list.map(({ id, text, status }) => `${MARKS[status]} ${id} ${text}`)
  return [...lines, summarisePlan(list)].join('\n')
}

/** `2 of 5 done, now: write the test`. */
export function summarisePlan(list: readonly Todo[]): string {
  const counted = list.filter(({ status }) => status !== 'cancelled')
  const done = counted.filter(({ status }) => status === 'completed').length
  const now = list.find(({ status }) => status === 'in_progress')
  return `${done} of ${counted.length} done${now === undefined ? '' : `, now: ${now.text}`}`
}
