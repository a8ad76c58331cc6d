import {
  type JsonRecord,
  type LlmError,
  recordOf,
  textOf,
  type WireEvent,
  type WireFailure,
} from 'amber-agent/sdk'

/** The status that an error's type stands for (docs.anthropic.com, "Errors"). */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}
const MOST_READ = 64 * 1024

/** The error that an event or a body carries instead of an answer (P10, P11, S16); undefined when there is none. */
export function readFailure(event: WireEvent, body: JsonRecord | undefined): WireFailure | undefined {
  const error = recordOf(body?.error)
  const said = body?.type === 'error' || event.event === 'error' || error !== undefined
  if (!said && textOf(body?.error) === '') return undefined
  const status = STATUS[textOf(error?.type)]
  return { body: event.data, ...(status === undefined ? {} : { status }) }
}

/** 429, 5xx, 529, and an overload by whatever status. */
export function isRetryable(status: number, body: string): boolean {
  if (status === 429 || (status >= 500 && status <= 599)) return true
  return status !== 401 && status !== 403 && body.slice(0, MOST_READ).includes('overloaded_error')
}

/** "N tokens > M maximum" names the window M; so does "… exceed context limit: N + K > M". In tokens. */
export function contextOverflowHint(body: string): number | undefined {
  const text = body.slice(0, MOST_READ)
  const found =
    /tokens\s*>\s*([0-9][0-9,]*)\s*(?:tokens\s*)?maximum/i.exec(text) ??
    /context limit:\s*[0-9,]+\s*\+\s*[0-9,]+\s*>\s*([0-9][0-9,]*)/i.exec(text)
  const limit = Number(found?.[1]?.replaceAll(',', ''))
  return Number.isSafeInteger(limit) && limit > 0 ? limit : undefined
}

/** Two answers in one stream: nobody can tell which words belong to which. */
export function splicedError(): LlmError {
  return {
    kind: 'protocol',
    retryable: true,
    message: 'The server mixed two answers into one stream.',
    hint: 'Send it again; if it goes on, a proxy in between shares one connection among requests.',
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
        : `The server's answer is no message; it begins: ${snippet}`,
    hint: 'Check that the API base is the address of an API that speaks the Messages protocol.',
  }
}
