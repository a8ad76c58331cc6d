import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { AmberError, messageOf, systemCode } from '../../host/base/errors.ts'
import { fromSystem } from '../../host/base/system-error.ts'
import { type Answer, answered, refused, send, writeHead } from './answer.ts'
import type { EventStream } from './event-stream.ts'
import { checkOrigin, checkToken, type Token } from './guard.ts'
import type { Pages } from './pages.ts'
import { readJsonBody } from './read-body.ts'
import { type ApiRequest, findRoute, type Route } from './routes.ts'

/** What the server serves. */
export interface HttpServerDeps {
  readonly token: Token
  readonly routes: readonly Route[]
  readonly events: EventStream
  readonly pages: Pages
}

/** A server on the loopback. */
export interface HttpServer {
  readonly port: number
  /** Ends every connection. */
  close(): Promise<void>
}

/** How long a client may take to send its request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000

/** Listens on 127.0.0.1 alone (DEV-1); port 0 takes a free one. Rejects with an AmberError when the port cannot be had. */
export async function startHttpServer(deps: HttpServerDeps, wantedPort: number): Promise<HttpServer> {
  const stopping = new AbortController()
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: 10_000 })
  const port = await listen(server, wantedPort)
  server.on('request', (request, response) => {
    response.on('error', () => response.destroy())
    void serve({ deps, port, stopping: stopping.signal }, request, response)
  })
  server.on('clientError', (_error, socket) => {
    if (socket.writable)
      socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    else socket.destroy()
  })
  return {
    port,
    close() {
      stopping.abort()
      deps.events.close()
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (thrown) => reject(listenError(thrown, port)))
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

function listenError(thrown: unknown, port: number): AmberError {
  if (systemCode(thrown) === 'EADDRINUSE') {
    return new AmberError(
      'failed',
      `Port ${port} is taken: another program listens there.`,
      'Leave --port away to take a free one.',
      thrown,
    )
  }
  return new AmberError(
    'failed',
    `The dev server cannot listen on port ${port}: ${messageOf(thrown)}`,
    'Leave --port away to take a free one.',
    thrown,
  )
}

interface Serving {
  readonly deps: HttpServerDeps
  readonly port: number
  readonly stopping: AbortSignal
}

/** Never rejects: what nobody foresaw is a refusal too, and the developer's terminal shows what a plugin did. */
async function serve(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const answer = await answerTo(serving, request, response)
    if (answer) send(response, answer)
  } catch (thrown) {
    const known = fromSystem(thrown)
    send(response, refused(400, messageOf(known ?? thrown), known?.hint ?? 'this is a fault of amber'))
  }
}

/** The answer; undefined when the response is taken care of. */
async function answerTo(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer | undefined> {
  const { deps, port } = serving
  const foreign = checkOrigin(request, port)
  if (foreign) return { ok: false, refusal: foreign }
  const [path = '', query = ''] = split(request.url ?? '')
  if (!path.startsWith('/api/') && path !== '/api') return page(deps.pages, { path, request, response })
  const unknown = checkToken(request, deps.token)
  if (unknown) return { ok: false, refusal: unknown }
  return callRoute(serving, { request, response, path: path.slice('/api/'.length), query })
}

interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly query: string
}

async function callRoute({ deps, stopping }: Serving, call: Call): Promise<Answer | undefined> {
  const { request, response, path } = call
  const method = request.method ?? ''
  if (path === 'events') {
    if (method !== 'GET') return wrongMethod('GET')
    const seen = Number(request.headers['last-event-id'] ?? '')
    const isNumber = request.headers['last-event-id'] !== undefined && Number.isSafeInteger(seen)
    deps.events.attach(response, isNumber ? seen : undefined)
    return undefined
  }
  const found = findRoute(deps.routes, method, path)
  if (found.kind === 'nowhere') return refused(404, `there is no /api/${path}`, 'see / for what there is')
  if (found.kind === 'method') return wrongMethod(found.allow)
  const body = method === 'POST' ? await readJsonBody(request) : answered(undefined)
  if (!body.ok) return body
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const asked: ApiRequest = {
    parameters: found.parameters,
    query: new URLSearchParams(call.query),
    body: body.body,
    approved: request.headers['x-amber-approve'] === 'once',
    signal: AbortSignal.any([gone.signal, stopping]),
  }
  return found.route.handle(asked)
}

function wrongMethod(allow: string): Answer {
  return {
    ok: false,
    refusal: { status: 405, message: 'this method is not for this path', hint: `use ${allow}`, allow },
  }
}

/** A file of the fixed map. */
async function page(
  pages: Pages,
  { path, request, response }: Pick<Call, 'path' | 'request' | 'response'>,
): Promise<Answer | undefined> {
  const load = pages.get(path)
  if (!load) return refused(404, 'there is nothing here', 'see / for what there is')
  if (request.method !== 'GET' && request.method !== 'HEAD') return wrongMethod('GET, HEAD')
  const found = await load()
  writeHead(response, 200, {
    'content-type': found.type,
    'content-length': String(Buffer.byteLength(found.body)),
  })
  response.end(request.method === 'HEAD' ? undefined : found.body)
  return undefined
}

/** The path as it was sent: nothing is resolved, so `..` leads nowhere. */
function split(url: string): readonly string[] {
  const mark = url.indexOf('?')
  return mark === -1 ? [url] : [url.slice(0, mark), url.slice(mark + 1)]
}
