import type { AgentMode } from '../agent/turn.ts'
import type { Agent, App } from '../app/app.ts'
import type { Dispose } from '../base/disposable.ts'

const MODES: readonly AgentMode[] = ['read', 'write', 'yolo']

/** Binds the commands that only a conversation can carry out. */
export function bindChatCommands(app: App, agent: Agent, leave: () => void): Dispose {
  const undo = [
    app.bindCommand('quit', () => {
      leave()
      return ''
    }),
    app.bindCommand('new', () => {
      agent.reset()
      return 'A new conversation.'
    }),
    app.bindCommand('get.policy', () => `The mode is ${agent.mode()}.`),
    app.bindCommand('set.policy.mode', ({ text }) => {
      const mode = MODES.find((one) => one === text)
      if (mode === undefined) return `The mode is ${agent.mode()}.`
      agent.setMode(mode)
      return `The mode is ${mode} now.`
    }),
  ]
  return () => {
    for (const one of undo) one()
  }
}
