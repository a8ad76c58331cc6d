import type { Todo, TodoService } from '../../sdk/index.ts'
import { type Dispose, once } from '../base/disposable.ts'

/** Where the plan of a conversation is kept. */
export interface TodoKeeper {
  list(): readonly Todo[]
  replace(todos: readonly Todo[]): void
}

/** The plans of all conversations of this host. */
export interface TodoStore {
  readonly service: TodoService
  /** Gives a conversation a keeper of its own; one without keeps its plan in memory alone. */
  attach(conversation: string, keeper: TodoKeeper): Dispose
}

/** So many plans of conversations that have no keeper (sub-agents) are kept; the oldest goes. */
const MOST_LOOSE = 64

/** Makes an empty store. */
export function createTodoStore(): TodoStore {
  const keepers = new Map<string, TodoKeeper>()
  const loose = new Map<string, readonly Todo[]>()
  return {
    service: {
      list: async (conversation) => keepers.get(conversation)?.list() ?? loose.get(conversation) ?? [],
      async replace(conversation, todos) {
        const keeper = keepers.get(conversation)
        if (keeper !== undefined) {
          keeper.replace(todos)
          return
        }
        loose.delete(conversation)
        loose.set(conversation, todos)
        const [oldest] = loose.keys()
        if (loose.size > MOST_LOOSE && oldest !== undefined) loose.delete(oldest)
      },
    },
    attach(conversation, keeper) {
      keepers.set(conversation, keeper)
      return once(() => {
        if (keepers.get(conversation) === keeper) keepers.delete(conversation)
      })
    },
  }
}
