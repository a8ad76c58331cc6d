import { readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { HostServices, WorkspaceService } from '../../sdk/index.ts'
import type { CoreBlock } from '../agent/prompt.ts'
import { createSubagents, type Subagents } from '../agent/subagents.ts'
import type { Clock } from '../base/clock.ts'
import type { ConfigStore } from '../base/config.ts'
import type { AmberPaths } from '../base/paths.ts'
import type { CommandTree } from '../command/tree.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import { createSessionStore, type SessionStore } from '../session/session-store.ts'
import { workspaceKey } from '../session/workspace-key.ts'
import { contextText, findContextFiles } from '../workspace/context-files.ts'
import { createSkillService } from '../workspace/skills/skill-service.ts'
import { createSelfService } from './self-service.ts'
import { createTodoStore, type TodoStore } from './todo-store.ts'

/** What conversations share, and what of it plugins may use. */
export interface ConversationServices {
  readonly services: Pick<HostServices, 'todos' | 'skills' | 'subagents' | 'self'>
  readonly todos: TodoStore
  readonly subagents: Subagents
  /** The sessions of the workspace. */
  readonly sessions: () => Promise<SessionStore>
  /** Their ids, newest first, for completion. */
  readonly sessionIds: () => readonly string[]
  /** `AGENTS.md` of a trusted workspace, up to the repository's root. */
  readonly contextBlock: CoreBlock
}

/** What they are made with. */
export interface ConversationServicesDeps {
  readonly paths: AmberPaths
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  readonly config: ConfigStore
  readonly workspace: WorkspaceService
  /** Whether what the workspace brings may be used (SAFE-4). */
  readonly isTrusted: () => Promise<boolean>
  readonly snapshot: () => Snapshot
  readonly tree: () => CommandTree
  /** Keys that no file may hold (PRO-13). */
  readonly secrets: () => readonly string[]
  readonly onNotice: (message: string) => void
}

/** Makes them; no file is touched before it is needed. */
export function createConversationServices(deps: ConversationServicesDeps): ConversationServices {
  const { paths, clock, config, workspace, isTrusted, snapshot } = deps
  const todos = createTodoStore()
  const subagents = createSubagents({
    parallel: async () => (await config.read().catch(() => undefined))?.subagents?.parallel,
  })
  let store: Promise<SessionStore> | undefined
  const open = async () =>
    createSessionStore({
      parent: join(paths.state, 'sessions'),
      workspace: await workspace.root(),
      clock,
      random: Math.random,
      onNotice: deps.onNotice,
      secrets: deps.secrets,
    })
  return {
    todos,
    subagents,
    sessions() {
      store ??= open()
      return store
    },
    sessionIds: () => recentSessionIds(join(paths.state, 'sessions'), paths.workspace),
    services: {
      todos: todos.service,
      subagents: subagents.service,
      skills: createSkillService({
        snapshot,
        userFolder: join(paths.config, 'skills'),
        workspace: () => workspace.root(),
        isTrusted,
      }),
      self: createSelfService({
        paths,
        env: deps.env,
        config,
        tree: deps.tree,
        keyVariables: () => [
          ...new Set([...snapshot().providers.presets.values()].flatMap((preset) => preset.keyEnv)),
        ],
      }),
    },
    contextBlock: {
      name: 'context_files',
      priority: 300,
      placement: 'system',
      render: async () =>
        (await isTrusted()) ? contextText(await findContextFiles(await workspace.root())) : '',
    },
  }
}

const MOST_CHOICES = 200

/** Ids begin with their time, so their order is their age. */
function recentSessionIds(parent: string, workspace: string): readonly string[] {
  try {
    const names = readdirSync(join(parent, workspaceKey(realpathSync(workspace))))
    const ids = names.flatMap((name) => (name.endsWith('.jsonl') ? [name.slice(0, -'.jsonl'.length)] : []))
    return ids.sort().reverse().slice(0, MOST_CHOICES)
  } catch {
    return []
  }
}
