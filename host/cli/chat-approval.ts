import type { Approver } from '../agent/turn.ts'
import { sanitiseLine } from '../base/sanitise.ts'

/** Asks a question and gives the answer's line; undefined when the terminal is gone or the signal aborts. */
export type Ask = (question: string, signal?: AbortSignal) => Promise<string | undefined>

/** Asks for approval on the terminal: y once, s for this session, anything else no. */
export function createAsker(ask: Ask, say: (text: string) => void): Approver {
  return async ({ tool, plugin, summary, arguments: args }, signal) => {
    say(`${sanitiseLine(tool)} (plugin ${plugin}) wants to run: ${sanitiseLine(summary)}`)
    const shown = sanitiseLine(JSON.stringify(args))
    if (shown !== '{}' && !summary.includes(shown)) say(`  ${shown.slice(0, 400)}`)
    const answer = (await ask('[y]es once, yes for this [s]ession, [n]o: ', signal))?.trim().toLowerCase()
    if (answer === 'y' || answer === 'yes') return 'once'
    return answer === 's' || answer === 'session' ? 'session' : 'deny'
  }
}
