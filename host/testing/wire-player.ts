import { startLoopback } from './loopback.ts'
import type { AskedRequest, WireExchange, WirePlayer } from './wire-exchange.ts'

/**
 * Plays recorded exchanges back over a real connection, on the loopback. Requests of one method and path are answered
 * in the order of their exchanges, the last one again and again; what was never recorded gets a 404 that says so.
 */
export async function startWirePlayer(exchanges: readonly WireExchange[]): Promise<WirePlayer> {
  const asked: AskedRequest[] = []
  const turns = new Map<string, number>()
  const next = (method: string, path: string): WireExchange | undefined => {
    const fitting = exchanges.filter((one) => (one.method ?? 'GET') === method && one.path === path)
    const turn = turns.get(`${method} ${path}`) ?? 0
    turns.set(`${method} ${path}`, turn + 1)
    return fitting[Math.min(turn, fitting.length - 1)]
  }
  const server = await startLoopback(({ method = 'GET', url: path = '/', headers }, body, response) => {
    asked.push({ method, path, headers: plain(headers), body: body.toString('utf8') })
    const exchange = next(method, path)
    if (exchange === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: `${method} ${path} was never recorded` } }))
      return
    }
    response.writeHead(exchange.status, { ...typeOf(exchange.body), ...exchange.headers })
    response.end(exchange.body)
  })
  return { ...server, asked: () => [...asked], get }
}

/** Longest that an answer may take, milliseconds (sdk AccountContext). */
const DEADLINE_MS = 20_000

async function get(url: string): Promise<unknown> {
  try {
    const headers = { authorization: 'Bearer test-key' }
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(DEADLINE_MS) })
    return response.ok ? await response.json() : undefined
  } catch {
    return undefined
  }
}

function typeOf(body: string): Readonly<Record<string, string>> {
  const isStream = /^(data|event|id|retry)?:/.test(body)
  return { 'content-type': isStream ? 'text/event-stream' : 'application/json' }
}

function plain(headers: NodeJS.Dict<string | string[]>): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
