import type { CommandArgument } from '../../../sdk/index.ts'
import type { Dispose } from '../../base/disposable.ts'
import { AmberError } from '../../base/errors.ts'
import { bindChatCommands } from '../chat-commands.ts'
import { bindChoices, type ChoosingConversation } from '../conversation-choices.ts'
import type { UndoDoor } from '../undo-command.ts'
import type { WindowAgents } from './agents.ts'
import type { ScreenParts } from './parts.ts'

/** Binds the commands that only a screen can carry out, and those of the conversation that is looked at. */
export function bindScreenCommands(parts: ScreenParts, agents: WindowAgents): { dispose: Dispose } {
  const { app, context, screen, leave } = parts
  let unbindChat: Dispose = () => {}
  const undo: Dispose[] = []
  const rebind = () => {
    unbindChat()
    for (const one of undo.splice(0).reverse()) one()
    const agent = agents.current()
    if (agent === undefined) return
    unbindChat = bindChatCommands(app, agent, { leave, undo: undoDoor(parts, agents) })
    for (const [path, handler] of Object.entries(handlers(parts, agents, rebind)))
      undo.push(app.bindCommand(path, handler))
  }
  screen.windows.onShow(rebind)
  agents.onChange(rebind)
  const unbindChoices = bindChoices(app, context, choosing(parts, agents))
  return {
    dispose() {
      unbindChoices()
      unbindChat()
      for (const one of undo.splice(0)) one()
    },
  }
}

/** The conversation that is looked at, as far as choosing goes. */
export function choosing({ screen }: ScreenParts, agents: WindowAgents): ChoosingConversation {
  const window = () => screen.windows.current()
  return {
    agent: agents.current,
    options: agents.options,
    promptTokens: () => window()?.figures.promptTokens,
    isBusy: () => window()?.isBusy() === true,
    use: agents.use,
    openPicker: () => void screen.panels.open('models'),
  }
}

/** The question is a dialog; what the user had said comes back into the input. */
function undoDoor({ screen, tui }: ScreenParts, agents: WindowAgents): UndoDoor {
  return {
    show: (text) => screen.show(tui.commandBlock('/undo', text, true)),
    confirm: (question) =>
      tui.createPluginUi(screen.dialogs, { asker: 'amber', notify: () => {} }).confirm(question),
    taken(prompt) {
      const window = screen.windows.current()
      if (window === undefined) return ''
      window.transcript.clear()
      agents.showStored(window)
      if (window.editor.draft().text !== '') return `\nYour words were:\n${prompt}`
      window.editor.set(prompt)
      return ''
    },
  }
}

type Handler = (argument: CommandArgument) => string | Promise<string>

function handlers(parts: ScreenParts, agents: WindowAgents, rebind: () => void): Record<string, Handler> {
  const { screen, leave } = parts
  const { panels, windows } = screen
  const idle = () => {
    if (windows.current()?.isBusy())
      throw new AmberError('failed', 'A turn is running.', 'Stop it first: /stop')
  }
  const close: Handler = ({ text }) => {
    const at = windows.find(text)
    const window = at === undefined ? undefined : windows.all[at]
    if (at === undefined || window === undefined) throw unknownWindow(text)
    agents.close(window)
    windows.remove(at)
    if (windows.all.length === 0) leave()
    else rebind()
    return ''
  }
  const reset: Handler = () => {
    windows.current()?.cancel()
    agents.current()?.reset()
    const window = windows.current()
    window?.transcript.clear()
    if (window !== undefined) parts.tui.forgetFigures(window.figures)
    return ''
  }
  return {
    new: reset,
    'session.load': async ({ text }) => {
      idle()
      const window = windows.current()
      const sessions = agents.current()?.sessions
      if (window === undefined || sessions === undefined)
        throw new AmberError('failed', 'Nothing is stored here.', '')
      if (text === '') {
        panels.open('sessions')
        return ''
      }
      const id = await sessions.load(text)
      parts.tui.forgetFigures(window.figures)
      agents.showStored(window)
      return `This conversation goes on as ${id}.`
    },
    stop: () => (windows.current()?.cancel() ? '' : 'Nothing is running.'),
    close: () => close({ text: '', words: [], signal: new AbortController().signal }),
    panel({ text }) {
      if (panels.open(text === '' ? undefined : text)) return ''
      throw new AmberError('failed', `There is no panel ${text}.`, 'See them all: /panel, then Tab.')
    },
    async 'window.new'({ text }) {
      await agents.open(text || undefined)
      return ''
    },
    'window.close': close,
    'window.list': () =>
      windows.all
        .map(
          (window, at) =>
            `${at === windows.index() ? '*' : ' '} ${at + 1}  ${window.name}  ${window.agent.model}${window.isBusy() ? '  working' : ''}`,
        )
        .join('\n'),
    'window.rename'({ text }) {
      const window = windows.current()
      if (text === '' || window === undefined)
        throw new AmberError('failed', 'No name was given.', 'Write it: /window rename NAME')
      window.name = text
      return `This window is called ${text}.`
    },
  }
}

function unknownWindow(text: string): AmberError {
  return new AmberError('failed', `There is no window ${text}.`, 'See them: /window list')
}
