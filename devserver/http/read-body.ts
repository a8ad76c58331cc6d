import type { IncomingMessage } from 'node:http'
import { type Answer, answered, refused } from './answer.ts'

/** The most that a request may bring, in bytes. */
export const MAX_BODY_BYTES = 1_000_000

/** What is read and thrown away of a body that is too large, so that its sender hears why. Bytes. */
const MAX_DRAINED_BYTES = 16_000_000

/** Reads a JSON body; refuses another content type (400), more than 1 MB (413), and what is no JSON (400). */
export async function readJsonBody(request: IncomingMessage): Promise<Answer> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    request.resume()
    return refused(400, 'the body must be JSON', 'send the header content-type: application/json')
  }
  const text = await readText(request)
  if (text === undefined) {
    return refused(413, `the body is larger than ${MAX_BODY_BYTES} bytes`, 'send less')
  }
  try {
    return answered(JSON.parse(text))
  } catch {
    return refused(400, 'the body is no JSON', 'send one JSON value, in UTF-8')
  }
}

async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue
    size += chunk.length
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
    else chunks.length = 0
    if (size > MAX_DRAINED_BYTES) break
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8')
}
