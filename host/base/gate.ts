import type { HostEvents, InterceptedEvents } from '../../sdk/index.ts'
import { readPlain } from './plain-data.ts'

/** Events whose handlers may answer a change or a veto (EVT-2). */
export type GateName = keyof InterceptedEvents

/** How an interceptor's answer changes its event. */
const CHANGES: {
  readonly [Name in GateName]: (event: HostEvents[Name], answer: object) => HostEvents[Name]
} = {
  'turn.started': (event, answer) => {
    const prompt = 'prompt' in answer ? answer.prompt : undefined
    return typeof prompt === 'string' ? { ...event, prompt } : event
  },
  'tool.requested': (event, answer) => {
    const given = 'arguments' in answer ? answer.arguments : undefined
    if (given === undefined) return event
    const plain = readPlain(given)
    if (!plain.ok) throw new TypeError(`the arguments that it answered are no plain data: ${plain.why}`)
    return { ...event, arguments: plain.value }
  },
}

const NO_REASON = 'it gave no reason'

/** The reason of a veto, or undefined when the answer is none. */
export function vetoOf(answer: unknown): string | undefined {
  if (answer === false) return NO_REASON
  if (typeof answer !== 'object' || answer === null || !('cancel' in answer)) return undefined
  const { cancel } = answer
  if (typeof cancel === 'string' && cancel !== '') return cancel
  return cancel === true ? NO_REASON : undefined
}

/** The event as an answer changes it; what is no change leaves it as it is. Throws when the change is no plain data. */
export function changedBy<Name extends GateName>(
  name: Name,
  event: HostEvents[Name],
  answer: unknown,
): HostEvents[Name] {
  return typeof answer === 'object' && answer !== null ? CHANGES[name](event, answer) : event
}
