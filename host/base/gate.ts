import type { HostEvents, InterceptedEvents } from '../../sdk/index.ts'

/** Events whose handlers may answer a change or a veto (EVT-2). */
export type GateName = keyof InterceptedEvents

/** How an interceptor's answer changes its event. */
const CHANGES: {
  readonly [Name in GateName]: (event: HostEvents[Name], answer: object) => HostEvents[Name]
} = {
  'turn.started': (event, answer) =>
    'prompt' in answer && typeof answer.prompt === 'string' ? { ...event, prompt: answer.prompt } : event,
  'tool.requested': (event, answer) =>
    'arguments' in answer && answer.arguments !== undefined
      ? { ...event, arguments: answer.arguments }
      : event,
}

const NO_REASON = 'it gave no reason'

/** The reason of a veto, or undefined when the answer is none. */
export function vetoOf(answer: unknown): string | undefined {
  if (answer === false) return NO_REASON
  if (typeof answer !== 'object' || answer === null || !('cancel' in answer)) return undefined
  if (typeof answer.cancel === 'string' && answer.cancel !== '') return answer.cancel
  return answer.cancel === true ? NO_REASON : undefined
}

/** The event as an answer changes it; what is no change leaves it as it is. */
export function changedBy<Name extends GateName>(
  name: Name,
  event: HostEvents[Name],
  answer: unknown,
): HostEvents[Name] {
  return typeof answer === 'object' && answer !== null ? CHANGES[name](event, answer) : event
}
