import type { CommandArgument } from '../../../sdk/index.ts'
import { createConfigStore } from '../../base/config.ts'
import type { Dispose } from '../../base/disposable.ts'
import { AmberError } from '../../base/errors.ts'
import { bindChatCommands } from '../chat-commands.ts'
import { pathsOf } from '../open-app.ts'
import type { UndoDoor } from '../undo-command.ts'
import type { WindowAgents } from './agents.ts'
import type { ScreenParts } from './parts.ts'

/** Binds the commands that only a screen can carry out, and those of the conversation that is looked at. */
export function bindScreenCommands(parts: ScreenParts, agents: WindowAgents): { dispose: Dispose } {
  const { app, screen, leave } = parts
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
  return {
    dispose() {
      unbindChat()
      for (const one of undo.splice(0)) one()
    },
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
  const use = async (choice: { readonly provider?: string; readonly model?: string }) => {
    idle()
    const agent = await agents.use(choice)
    return `This conversation goes on with ${agent.provider} · ${agent.model}.`
  }
  const reset: Handler = () => {
    windows.current()?.cancel()
    agents.current()?.reset()
    windows.current()?.transcript.clear()
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
    'get.model': () => {
      const agent = agents.current()
      return agent === undefined ? '-' : `${agent.provider} · ${agent.model}`
    },
    'get.model.list': () => {
      panels.open('models')
      return ''
    },
    'get.model.context': () => contextText(agents, windows.current()?.figures.promptTokens),
    'get.provider.wallet': () => agents.current()?.account?.()?.text ?? '-',
    'set.model': ({ text }) => {
      if (text === '') {
        panels.open('models')
        return ''
      }
      return use({ model: text })
    },
    'set.provider': ({ text }) => {
      if (text === '') throw new AmberError('failed', 'No provider was named.', 'See them: /provider list')
      return use({ provider: text })
    },
    'set.display.markdown': async ({ text }) => {
      const { clock } = parts.context
      const config = createConfigStore(pathsOf(parts.context).config, clock)
      await config.set('display.markdown', text === 'off' ? 'false' : 'true')
      screen.setMarkdown(text !== 'off')
      return `Markdown is ${text === 'off' ? 'shown as it is written' : 'formatted'}.`
    },
  }
}

function unknownWindow(text: string): AmberError {
  return new AmberError('failed', `There is no window ${text}.`, 'See them: /window list')
}

function contextText(agents: WindowAgents, used: number | undefined): string {
  const size = agents.current()?.contextWindow?.()
  if (size === undefined) return 'The size of the context window is not known.'
  const share = used === undefined ? '' : `, ${used} used (${Math.round((used / size) * 100)} %)`
  return `${size} tokens${share}`
}
