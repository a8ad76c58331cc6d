import type { ServerResponse } from 'node:http'

/** A request that is refused, in words (interfaces 7). */
export interface Refusal {
  readonly status: 400 | 403 | 404 | 405 | 413
  readonly message: string
  readonly hint: string
  /** The methods that there are, for 405. */
  readonly allow?: string
}

/** What a handler answers: data, or a refusal. */
export type Answer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly refusal: Refusal }

/** Data. */
export const answered = (body: unknown): Answer => ({ ok: true, body })

/** A refusal. */
export const refused = (status: Refusal['status'], message: string, hint: string): Answer => ({
  ok: false,
  refusal: { status, message, hint },
})

/**
 * On every answer: nothing but our own files runs or loads, nothing frames us, nothing is kept or sniffed, and no
 * CORS header, so that no other origin reads a word.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Begins an answer with every header that all answers have. */
export function writeHead(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { ...HEADERS, ...headers })
}

/** Sends one JSON value. */
export function sendJson(
  response: ServerResponse,
  status: number,
  options: { readonly body: unknown; readonly headers?: Readonly<Record<string, string>> },
): void {
  if (response.headersSent || response.destroyed) return
  const text = JSON.stringify(options.body) ?? 'null'
  writeHead(response, status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    ...options.headers,
  })
  response.end(text)
}

/** Sends an answer. */
export function send(response: ServerResponse, answer: Answer): void {
  if (answer.ok) {
    sendJson(response, 200, { body: answer.body })
    return
  }
  const { status, message, hint, allow } = answer.refusal
  sendJson(response, status, {
    body: { error: { message, hint } },
    headers: {
      ...(allow === undefined ? {} : { allow }),
      // What is left of a body that nobody wants ends with the connection.
      ...(status === 413 ? { connection: 'close' } : {}),
    },
  })
}
