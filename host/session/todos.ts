import { isRecord, type Todo, type TodoStatus } from '../../sdk/index.ts'

const STATUSES: readonly TodoStatus[] = ['pending', 'in_progress', 'completed', 'cancelled']

/** A list of todos as plain data says it; undefined when it is none. */
export function readTodos(value: unknown): readonly Todo[] | undefined {
  if (!Array.isArray(value)) return undefined
  const todos: Todo[] = []
  for (const one of value) {
    const status = isRecord(one) ? STATUSES.find((known) => known === one.status) : undefined
    if (!isRecord(one) || typeof one.id !== 'string' || typeof one.text !== 'string' || !status)
      return undefined
    todos.push({ id: one.id, text: one.text, status })
  }
  return todos
}

const MARKS: Readonly<Record<TodoStatus, string>> = {
  pending: '[ ]',
  in_progress: '[~]',
  completed: '[x]',
  cancelled: '[-]',
}

/** The list for people and models, one a line: `[x] 1 Read the tests`. */
export function showTodos(todos: readonly Todo[]): string {
  return todos.map(({ id, text, status }) => `${MARKS[status]} ${id} ${text}`).join('\n')
}
