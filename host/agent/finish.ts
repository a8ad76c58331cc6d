import type { Completion } from '../../sdk/index.ts'
import type { TurnError } from './turn.ts'

const ORDINARY = new Set([
  '',
  'stop',
  'end_turn',
  'stop_sequence',
  'tool_calls',
  'tool_use',
  'function_call',
  'eos',
])
const CUT = new Set(['length', 'max_tokens', 'max_output_tokens', 'model_length'])

/** What a user should know of how a reply ended, or undefined: every reason that matters is shown (bundled-plugins 4). */
export function finishNotice(completion: Completion): string | undefined {
  const reason = completion.finishReason
  const plain = reason.toLowerCase()
  if (completion.cutCalls?.length) {
    const names = completion.cutCalls.map((call) => call.name).join(', ')
    return `The model's output limit cut a tool call (${names}); it was not run.`
  }
  if (completion.refusal) return `The model refused: ${completion.refusal}`
  if (CUT.has(plain)) return `The model reached its output limit (${reason}); the answer may be cut off.`
  if (!ORDINARY.has(plain)) return `The model stopped early: ${reason}.`
  return undefined
}

/** Why the final text is empty; asked again once by then. */
export const EMPTY_NOTICE = 'The model answered nothing, twice. Ask again, or try another model.'

/** The error of a reply that failed or never ended, or undefined for a whole one. */
export function completionError(completion: Completion): TurnError | undefined {
  if (completion.status === 'complete') return undefined
  const { error } = completion
  if (error !== undefined) {
    const { kind, message, hint, status } = error
    return { kind, message, hint, ...(status === undefined ? {} : { status }) }
  }
  return completion.status === 'incomplete'
    ? {
        kind: 'protocol',
        message: 'The answer broke off: the stream ended without saying that it was finished.',
        hint: 'Ask again; if it happens often, look at the server or the proxy in between.',
      }
    : {
        kind: 'protocol',
        message: 'The server reported an error and did not say which.',
        hint: 'Ask again, or look at the server’s log.',
      }
}
