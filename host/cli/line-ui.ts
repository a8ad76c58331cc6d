import { sanitiseLine, sanitiseText } from '../base/sanitise.ts'
import type { UiDoor } from '../plugin/plugin-host.ts'
import type { Lines } from './chat-lines.ts'

/** Questions and notices a line at a time; each names its asker. Before the lines are there, questions fail closed. */
export function createLineUi(lines: () => Lines | undefined, say: (text: string) => void): UiDoor {
  return (asker) => {
    const asked = (question: string, rest: string) =>
      `${asker === 'amber' ? '' : `${sanitiseLine(asker)} asks: `}${sanitiseText(question)}${rest} `
    return {
      notify: (message) => say(`${asker}: ${message}`),
      async confirm(question) {
        const line = await lines()?.askFresh(asked(question, ' [y]es, [n]o:'))
        return /^y(es)?$/i.test(line?.trim() ?? '')
      },
      async choose(question, choices) {
        const rows = choices.map((choice, at) => `  ${at + 1}  ${sanitiseLine(choice)}`)
        say([asked(question, ''), ...rows].join('\n'))
        const line = (await lines()?.askFresh(`Which one? [1-${choices.length}, empty: none] `))?.trim() ?? ''
        return /^\d+$/.test(line) ? choices[Number(line) - 1] : undefined
      },
      askText: async (question) => lines()?.askFresh(asked(question, '')),
      askSecret: async (question) => lines()?.askHidden(asked(question, '')),
    }
  }
}
