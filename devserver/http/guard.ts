import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Refusal } from './answer.ts'

/** The secret of one dev server: whoever has it may do what the developer may. */
export interface Token {
  /** For the fragment of the URL. */
  readonly text: string
  /** Compares in constant time. */
  matches(candidate: string | undefined): boolean
}

/** Makes a token of 256 random bits. */
export function createToken(): Token {
  const text = randomBytes(32).toString('base64url')
  const hash = sha256(text)
  return {
    text,
    matches: (candidate) => timingSafeEqual(hash, sha256(candidate ?? '')) && candidate !== undefined,
  }
}

/** Hashes have one length, so that comparing tells nothing of the candidate's. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * Whether a request comes from where it may (DEV-1): addressed to the loopback by name (a page that had its own name
 * point here, DNS rebinding, is not), from no other site, and, when an Origin is sent, from our own page.
 */
export function checkOrigin({ headers, rawHeaders }: IncomingMessage, port: number): Refusal | undefined {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  const host = headers.host?.toLowerCase() ?? ''
  if (hosts.length !== 1 || !isOwnHost(host, port)) {
    return forbidden(
      'this server answers under its own loopback address alone',
      `use http://127.0.0.1:${port}`,
    )
  }
  if (headers['sec-fetch-site'] === 'cross-site')
    return forbidden('another site may not ask here', 'open the address that amber dev printed')
  const { origin } = headers
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`)
    return forbidden('another origin may not ask here', 'open the address that amber dev printed')
  return undefined
}

/** Whether a request to the interface has the token. */
export function checkToken({ headers }: IncomingMessage, token: Token): Refusal | undefined {
  const given = headers['x-amber-token']
  if (token.matches(typeof given === 'string' ? given : undefined)) return undefined
  const what = given === undefined ? 'the token is missing' : 'this is not the token'
  return forbidden(
    what,
    'send the header x-amber-token with what stands after #token= in the address of amber dev',
  )
}

function isOwnHost(host: string, port: number): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].some(
    (name) => host === `${name}:${port}` || (port === 80 && host === name),
  )
}

function forbidden(message: string, hint: string): Refusal {
  return { status: 403, message, hint }
}
