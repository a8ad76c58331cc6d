import type { Agent, App } from '../app/app.ts'
import type { Dispose } from '../base/disposable.ts'
import { AmberError } from '../base/errors.ts'
import type { Screen } from '../tui/index.ts'
import { bindChatCommands } from './chat-commands.ts'

/** What the commands of a screen work on. */
export interface ScreenCommands {
  readonly app: App
  readonly screen: Screen
  readonly agent: Agent
  readonly leave: () => void
}

/** Binds the commands that only a screen can carry out, beside those of any conversation. */
export function bindScreenCommands({ app, screen, agent, leave }: ScreenCommands): Dispose {
  const { panels, windows } = screen
  const undo = [
    bindChatCommands(app, agent, leave),
    app.bindCommand('new', () => {
      windows.current()?.cancel()
      agent.reset()
      windows.current()?.transcript.clear()
      return ''
    }),
    app.bindCommand('stop', () => (windows.current()?.cancel() ? '' : 'Nothing is running.')),
    app.bindCommand('close', () => {
      leave()
      return ''
    }),
    app.bindCommand('panel', ({ text }) => {
      if (panels.open(text === '' ? undefined : text)) return ''
      throw new AmberError('failed', `There is no panel ${text}.`, 'See them all: /panel, then Tab.')
    }),
  ]
  return () => {
    for (const one of undo.reverse()) one()
  }
}
