import {
  type JsonRecord,
  type LlmError,
  numberOf,
  recordOf,
  textOf,
  type WireEvent,
  type WireFailure,
} from 'amber-agent/sdk'

const MOST_READ = 64 * 1024
const REPHRASE =
  'Say it in other words; or start a new conversation with /new, if what was said before is the cause.'

/** The error that an event or a body carries instead of an answer; undefined when there is none. */
export function readFailure(event: WireEvent, body: JsonRecord | undefined): WireFailure | undefined {
  const error = recordOf(body?.error)
  if (error === undefined && textOf(body?.error) === '' && event.event !== 'error') return undefined
  const code = numberOf(error?.code)
  const status = code !== undefined && code >= 400 && code <= 599 ? code : undefined
  return { body: event.data, ...(status === undefined ? {} : { status }) }
}

/** 429 and 5xx; a malformed call is told by {@link malformedCallError}. */
export function isRetryable(status: number, body: string): boolean {
  if (status === 429 || (status >= 500 && status <= 599)) return true
  return status === 200 && body.slice(0, MOST_READ).includes('MALFORMED_FUNCTION_CALL')
}

/** "… the maximum number of tokens allowed (N)": N, in tokens. */
export function contextOverflowHint(body: string): number | undefined {
  const found = /tokens allowed[^0-9]{0,8}([0-9][0-9,]*)/i.exec(body.slice(0, MOST_READ))
  const limit = Number(found?.[1]?.replaceAll(',', ''))
  return Number.isSafeInteger(limit) && limit > 0 ? limit : undefined
}

/** The model wrote a call that its own server could not read (P8). Another try mostly cures it. */
export function malformedCallError(said: string): LlmError {
  return {
    kind: 'protocol',
    retryable: true,
    message: `The model wrote a malformed tool call${said === '' ? '' : `: ${said.slice(0, 200)}`}.`,
    hint: 'Send it again, or choose a model that is better at calling tools with --model.',
  }
}

/** The prompt was blocked: there is no candidate, and the same prompt will get none (P9). */
export function blockedError(reason: string, said: string): LlmError {
  return {
    kind: 'bad-request',
    retryable: false,
    message: `Google blocked the prompt (${reason})${said === '' ? '' : `: ${said.slice(0, 300)}`}.`.replace(
      '..',
      '.',
    ),
    hint: REPHRASE,
  }
}

/** An answer with no candidate and no reason (P9). */
export function noCandidateError(): LlmError {
  return {
    kind: 'protocol',
    retryable: false,
    message: 'The server answered with no candidate and gave no reason.',
    hint: REPHRASE,
  }
}

/** A body that is no answer. */
export function malformedError(raw: string): LlmError {
  const snippet = raw.trim().slice(0, 200)
  return {
    kind: 'protocol',
    retryable: false,
    message:
      snippet === ''
        ? 'The server answered with an empty body.'
        : `The server's answer is no generateContent answer; it begins: ${snippet}`,
    hint: 'Check that the API base is the address of an API that speaks the Gemini protocol.',
  }
}
