import type { Agent, App } from '../../app/app.ts'
import { emptySnapshot } from '../../ledger/ledger.ts'
import type { Conversation, ScreenApp } from '../../tui/index.ts'
import { nothingAttached } from '../../workspace/prompt-files.ts'

/** An amber that the screen can show before it is there. */
export interface LateApp {
  readonly screenApp: ScreenApp
  /** Undefined while amber starts. */
  readonly app: () => App | undefined
  /** It is there. */
  open(app: App): void
}

/** The agent of a window that is there before amber is: what is sent to it waits. */
export function startingAgent(ready: Promise<Agent>): Conversation['agent'] {
  return {
    provider: 'starting',
    model: '',
    mode: () => 'write',
    setMode() {},
    reset() {},
    attach: async (prompt) => (await (await ready).attach?.(prompt)) ?? nothingAttached(prompt),
    turn: async (prompt, how) => (await ready).turn(prompt, how),
  }
}

/** Makes one in which nothing is installed yet. */
export function createLateApp(): LateApp {
  const empty = emptySnapshot()
  let app: App | undefined
  const gone = async (plugin: string) => ({ kind: 'unchanged', plugin }) as const
  return {
    app: () => app,
    open(opened) {
      app = opened
    },
    screenApp: {
      snapshot: () => app?.snapshot() ?? empty,
      commandTree: () => app?.commandTree() ?? new Map(),
      choices: (source) => app?.choices(source) ?? [],
      runCommand: async (line, how) =>
        (await app?.runCommand(line, how)) ?? { ok: false, text: 'amber is still starting.' },
      mcpServers: () => app?.mcpServers?.() ?? [],
      jobs: () => app?.jobs.running() ?? { count: 0, secondsLeft: undefined },
      plugins: {
        list: () => app?.plugins.list() ?? [],
        info: (id) => app?.plugins.info(id),
        swap: (id, how) => app?.plugins.swap(id, how) ?? gone(id),
        enable: (id) => app?.plugins.enable(id) ?? gone(id),
        disable: (id) => app?.plugins.disable(id) ?? gone(id),
      },
    },
  }
}
