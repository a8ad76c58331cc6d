import type { LlmError } from '../../sdk/index.ts'
import { messageOf, systemCode } from '../base/errors.ts'
import { originOf } from './url.ts'

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS|ERR_SSL/

/** The request was cancelled by its signal. */
export function cancelledError(): LlmError {
  return {
    kind: 'cancelled',
    retryable: false,
    message: 'The request was cancelled.',
    hint: 'Send it again when you are ready.',
  }
}

/** Nothing, or nothing but keep-alives, came for too long. `what` completes "… within 120 s". */
export function stalledError(url: string, what: string, ms: number): LlmError {
  return {
    kind: 'stalled',
    retryable: true,
    message: `${originOf(url)} ${what} within ${Math.round(ms / 100) / 10} s.`,
    hint: 'Send it again; if it goes on, the server is overloaded or the model is too slow for this request.',
  }
}

/** The bytes are not what the protocol says. */
export function protocolError(message: string, hint: string, retryable = false): LlmError {
  return { kind: 'protocol', retryable, message, hint }
}

/** Names what undici or the system threw; no header and no body of the request gets into the words (PRO-13). */
export function networkError(thrown: unknown, url: string, whileReading: boolean): LlmError {
  const code = codeOf(thrown)
  const origin = originOf(url)
  if (code === 'ERR_INVALID_URL' || code === 'UND_ERR_INVALID_ARG') return badAddress(thrown, origin)
  if (CERTIFICATE.test(code)) {
    return network(`${origin} has a certificate that is not trusted (${code}).`, false, CERTIFICATE_HINT)
  }
  const [said, hint] = NAMED[code] ?? [`failed: ${code || messageOf(thrown)}`, NETWORK_HINT]
  const lead = whileReading ? `The connection to ${origin} broke in the middle of the answer` : undefined
  return network(
    lead === undefined ? `${origin} ${said}.` : `${lead} (${code || messageOf(thrown)}).`,
    true,
    hint,
  )
}

const NETWORK_HINT = 'Check the network, the API base, and HTTPS_PROXY if one is needed.'
const CERTIFICATE_HINT = 'Name the certificate authority in NODE_EXTRA_CA_CERTS.'
const NAMED: Readonly<Record<string, readonly [string, string]>> = {
  ECONNREFUSED: ['refuses connections', 'Start the server, or correct the API base (--api-base).'],
  ENOTFOUND: [
    'is not known: there is no host of this name',
    'Check the API base for a misspelling, and the network.',
  ],
  EAI_AGAIN: ['cannot be looked up', NETWORK_HINT],
  UND_ERR_CONNECT_TIMEOUT: ['did not take the connection in time', NETWORK_HINT],
  ETIMEDOUT: ['did not take the connection in time', NETWORK_HINT],
  ECONNRESET: ['closed the connection', NETWORK_HINT],
  UND_ERR_SOCKET: ['closed the connection', NETWORK_HINT],
  ERR_PROXY_CLOSED: [
    'cannot be reached: the proxy closed the connection',
    'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.',
  ],
  EHOSTUNREACH: ['cannot be reached', NETWORK_HINT],
  ENETUNREACH: ['cannot be reached', NETWORK_HINT],
}

function network(message: string, retryable: boolean, hint: string): LlmError {
  return { kind: 'network', retryable, message, hint }
}

function badAddress(thrown: unknown, origin: string): LlmError {
  return {
    kind: 'bad-request',
    retryable: false,
    message: `A request to ${origin} cannot be made: ${messageOf(thrown)}.`,
    hint: 'Check the API base and the key: neither may hold blanks or line ends.',
  }
}

/** The code of the error itself or of what caused it; several addresses fail as one AggregateError. */
function codeOf(thrown: unknown): string {
  const own = systemCode(thrown)
  if (own !== undefined) return own
  if (!(thrown instanceof Error)) return ''
  return systemCode(thrown.cause) ?? ''
}
