import { resolve } from 'node:path'
import type { Todo } from '../../sdk/index.ts'
import type { Conversing } from '../agent/agent.ts'
import { writeFileAtomic } from '../base/atomic-file.ts'
import { AmberError, messageOf } from '../base/errors.ts'
import { exportMarkdown } from '../session/export.ts'
import type { SessionStore } from '../session/session-store.ts'
import { showTodos } from '../session/todos.ts'
import type { AgentSessions } from './app.ts'
import type { SessionKeeper } from './session-keeper.ts'

/** What a conversation's own session commands work on. */
export interface AgentSessionsDeps {
  readonly agent: Conversing
  readonly keeper: SessionKeeper
  readonly store: () => Promise<SessionStore>
  readonly workspace: string
}

/** Loading, forking, naming and saving of a running conversation. */
export function agentSessions({ agent, keeper, store, workspace }: AgentSessionsDeps): AgentSessions {
  return {
    async load(id) {
      agent.adopt(await keeper.load(id))
      return keeper.conversation()
    },
    fork: () => keeper.fork(),
    rename: (title) => keeper.rename(title),
    async save(file) {
      const id = keeper.id()
      if (id === null || agent.messages().length === 0) {
        const hint = 'Say something first; with --no-session nothing is stored.'
        throw new AmberError('failed', 'There is no stored conversation to write.', hint)
      }
      const path = resolve(workspace, file === '' ? `amber-${id}.md` : file)
      try {
        await writeFileAtomic(path, exportMarkdown(await (await store()).read(id)), { mode: 0o644 })
      } catch (thrown) {
        if (thrown instanceof AmberError) throw thrown
        throw new AmberError(
          'failed',
          `${path} cannot be written: ${messageOf(thrown)}`,
          'Name another file.',
        )
      }
      return path
    },
  }
}

/** The plan as a summary keeps it. */
export function planText(todos: readonly Todo[]): string {
  return todos.length === 0 ? '' : `The plan as it stands:\n\n${showTodos(todos)}`
}
