import { compressionText } from '../agent/compression.ts'
import type { AgentMode } from '../agent/turn.ts'
import type { Agent, App } from '../app/app.ts'
import type { Dispose } from '../base/disposable.ts'
import { AmberError } from '../base/errors.ts'
import { type UndoDoor, undoCommand } from './undo-command.ts'

const MODES: readonly AgentMode[] = ['read', 'write', 'yolo']

/** What the commands of a conversation need of its interface. */
export interface ChatDoors {
  leave(): void
  readonly undo: UndoDoor
}

/** Binds the commands that only a conversation can carry out. */
export function bindChatCommands(app: App, agent: Agent, doors: ChatDoors): Dispose {
  const bindings = [
    app.bindCommand('quit', () => {
      doors.leave()
      return ''
    }),
    app.bindCommand('new', () => {
      agent.reset()
      return 'A new conversation.'
    }),
    app.bindCommand('compress', async ({ signal }) => compressionText(await agent.compress(signal))),
    app.bindCommand('undo', undoCommand(agent, doors.undo)),
    ...sessionBindings(app, agent),
    app.bindCommand('get.policy', () => `The mode is ${agent.mode()}.`),
    app.bindCommand('set.policy.mode', ({ text }) => {
      const mode = MODES.find((one) => one === text)
      if (mode === undefined) return `The mode is ${agent.mode()}.`
      agent.setMode(mode)
      return `The mode is ${mode} now.`
    }),
  ]
  return () => {
    for (const one of bindings) one()
  }
}

/** What can be done with the session of this very conversation. */
function sessionBindings(app: App, agent: Agent): readonly Dispose[] {
  const { sessions } = agent
  if (sessions === undefined) return []
  const save = async ({ text }: { readonly text: string }) => `Written to ${await sessions.save(text)}.`
  return [
    app.bindCommand('save', save),
    app.bindCommand('session.save', save),
    app.bindCommand('session.load', async ({ text }) => {
      if (text === '') throw new AmberError('failed', 'No session was named.', 'See them: /session list')
      return `This conversation goes on as ${await sessions.load(text)}.`
    }),
    app.bindCommand('session.fork', async () => `This conversation goes on as ${await sessions.fork()}.`),
    app.bindCommand('session.rename', ({ text }) => {
      if (text === '') throw new AmberError('failed', 'No name was given.', 'Write it: /session rename NAME')
      sessions.rename(text)
      return `This conversation is called ${text}.`
    }),
  ]
}
