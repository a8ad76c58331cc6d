import type { IncomingHttpHeaders } from 'node:http'
import { startLoopback } from './loopback.ts'
import type { WireExchange, WireRecorder } from './wire-exchange.ts'

/** Headers of an answer that mean something to amber; all others (cookies, ids of requests) stay behind. */
const KEPT = ['content-type', 'retry-after'] as const
/** What belongs to one connection, or would come back encoded. */
const NOT_PASSED_ON = new Set([
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'transfer-encoding',
  'expect',
])
/** Parameters of an address that carry a key. */
const KEY_PARAMETER = /^(key|api_?key|token|access_token|auth)$/i
const HIDDEN = '***'
const SHORTEST_KEY = 8

/**
 * Passes requests on to a vendor and writes down what was answered: run it once with your key, write `exchanges()` to a
 * file, and play them with `startWirePlayer` ever after. Values of credential headers and parameters, and bodies that
 * repeat them, are replaced before anything is kept.
 *
 * @param upstream the vendor's address, without a trailing slash
 */
export async function startWireRecorder(upstream: string): Promise<WireRecorder> {
  const exchanges: WireExchange[] = []
  const server = await startLoopback(async ({ method = 'GET', url: path = '/', headers }, body, response) => {
    const answer = await fetch(`${upstream}${path}`, {
      method,
      headers: passedOn(headers),
      redirect: 'manual',
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    })
    const text = await answer.text()
    const kept = Object.fromEntries(
      KEPT.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name) ?? '']] : [])),
    )
    exchanges.push({
      method,
      path: withoutKeys(path),
      status: answer.status,
      headers: kept,
      body: secretsIn(headers, path).reduce((told, secret) => told.replaceAll(secret, HIDDEN), text),
    })
    response.writeHead(answer.status, kept)
    response.end(text)
  })
  return { ...server, exchanges: () => [...exchanges] }
}

function passedOn(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.has(name))
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function withoutKeys(path: string): string {
  const url = new URL(path, 'http://loopback')
  for (const name of [...url.searchParams.keys()])
    if (KEY_PARAMETER.test(name)) url.searchParams.set(name, HIDDEN)
  return `${url.pathname}${url.search}`
}

function secretsIn(headers: IncomingHttpHeaders, path: string): readonly string[] {
  const named = Object.entries(headers).flatMap(([name, value]) =>
    /auth|key|token|cookie/i.test(name) ? String(value).split(' ') : [],
  )
  const url = new URL(path, 'http://loopback')
  const given = [...url.searchParams].flatMap(([name, value]) => (KEY_PARAMETER.test(name) ? [value] : []))
  return [...named, ...given].filter((secret) => secret.length >= SHORTEST_KEY)
}
