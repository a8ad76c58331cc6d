import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { answerChat } from './chat.ts'
import { streamAnswer } from './stream.ts'

const MAX_BODY_BYTES = 64 * 1024 * 1024

/**
 * Serves the protocol on a free loopback port until the signal aborts. Neither the server nor a connection to it keeps
 * the process alive. Rejects when no port can be had.
 */
export function startServer(signal: AbortSignal): Promise<{ readonly apiBase: string }> {
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => socket.unref())
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      server.unref()
      const stop = () => {
        server.close()
        server.closeAllConnections()
      }
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
      const address = server.address()
      if (typeof address === 'object' && address !== null) {
        resolve({ apiBase: `http://127.0.0.1:${address.port}/v1` })
      } else reject(new Error('The rehearsal server has no port.'))
    })
  })
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A page in a browser that made a name of its own point here would send that name.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) {
    sendError(response, 403, 'Only programs of this machine may ask.')
    return
  }
  const path = (request.url ?? '').split('?')[0]
  if (request.method === 'GET' && path === '/v1/models') {
    sendJson(response, 200, {
      object: 'list',
      data: [{ id: 'rehearsal', object: 'model', owned_by: 'amber' }],
    })
  } else if (request.method === 'POST' && path === '/v1/chat/completions') {
    await serveChat(request, response)
  } else sendError(response, 404, 'There is only /v1/chat/completions and /v1/models.')
}

async function serveChat(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request)
  if (body === undefined) {
    sendError(response, 413, 'The request is too large.')
    return
  }
  const answer = answerChat(body)
  if (answer.kind === 'refused') sendError(response, 400, answer.message)
  else if (answer.stream) streamAnswer(response, answer)
  else sendJson(response, 200, answer.completion)
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.byteLength
    if (bytes > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: { message, type: 'invalid_request_error' } })
}
