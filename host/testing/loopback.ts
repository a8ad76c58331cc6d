import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { messageOf } from '../base/errors.ts'

/** A server on the loopback. */
export interface Loopback {
  readonly url: string
  dispose(): Promise<void>
}

const MOST_BYTES = 32 * 1024 * 1024

/** Starts a server that answers by `answer`; a throw becomes a 502 that says what was thrown. */
export async function startLoopback(
  answer: (request: IncomingMessage, body: Buffer, response: ServerResponse) => Promise<void> | void,
): Promise<Loopback> {
  const server = createServer((request, response) => {
    void readBody(request)
      .then((body) => answer(request, body, response))
      .catch((thrown: unknown) => {
        if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' })
        response.end(messageOf(thrown))
      })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    dispose: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request) {
    const buffer = Buffer.from(piece)
    bytes += buffer.length
    if (bytes > MOST_BYTES) throw new Error('the request is larger than 32 MB')
    pieces.push(buffer)
  }
  return Buffer.concat(pieces)
}
