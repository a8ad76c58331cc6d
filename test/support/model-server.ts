import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A request that a test's server got. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Which connection it came on, from 1. */
  readonly connection: number
}

/** A real server on loopback that answers as a test says. */
export interface ModelServer {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string
  readonly seen: readonly SeenRequest[]
  close(): Promise<void>
}

/** Answers the request of a number, from 1. */
export type Answer = (response: ServerResponse, request: SeenRequest, number: number) => void

/** Starts a server; the answer gets each request once its body is there. */
export async function startModelServer(answer: Answer): Promise<ModelServer> {
  const seen: SeenRequest[] = []
  const connections = new Map<unknown, number>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const number = connections.get(request.socket) ?? connections.size + 1
      connections.set(request.socket, number)
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        connection: number,
      }
      seen.push(one)
      answer(response, one, seen.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Sends an event stream, whole. */
export function sendStream(response: ServerResponse, ...events: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(events.map((event) => `data: ${event}\n\n`).join(''))
}

/** A chunk of the OpenAI protocol that says a text. */
export function textChunk(text: string): string {
  return JSON.stringify({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })
}

/** The chunk that ends a reply well. */
export function finishChunk(reason = 'stop'): string {
  return JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })
}

/** Sends a JSON body of some status. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
