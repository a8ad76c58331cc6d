import type { Dispatcher } from 'undici'
import type { LlmError } from '../../sdk/index.ts'
import type { Exchange } from './exchange.ts'
import { networkError, protocolError } from './network-error.ts'

/** What a consumer made of a chunk: a keep-alive is `idle`, and does not move the deadline; `stop` wants no more. */
export type Consumed = 'progress' | 'idle' | 'stop'

/** A response whose body is still to be read. One of `pump`, `text` and `discard` must be called, once. */
export interface HttpResponse {
  readonly status: number
  /** Lower-case names; the first of several values. */
  header(name: string): string | undefined
  /** Hands on each chunk as it arrives, none after a cancellation. Answers why the body ended early, or undefined. */
  pump(consume: (chunk: Uint8Array) => Consumed): Promise<LlmError | undefined>
  /** The whole body as text; longer ones are an error. */
  text(
    maxBytes: number,
  ): Promise<
    { readonly kind: 'text'; readonly text: string } | { readonly kind: 'failed'; readonly error: LlmError }
  >
  discard(): void
}

/** What is still read after `stop`, so that the connection can serve the next request. */
const DRAIN_BYTES = 64 * 1024
const DRAIN_MS = 1000
/** How long `stop` waits for an end that mostly is there already: then the next turn finds the connection free. */
const END_MS = 50

/** Wraps undici's response; the exchange's deadlines run until the body has ended. */
export function createResponse(raw: Dispatcher.ResponseData, exchange: Exchange): HttpResponse {
  const pump: HttpResponse['pump'] = (consume) => pumpBody(raw.body, exchange, consume)
  return {
    status: raw.statusCode,
    header(name) {
      const value = raw.headers[name]
      return Array.isArray(value) ? value[0] : value
    },
    pump,
    async text(maxBytes) {
      const chunks: Uint8Array[] = []
      let bytes = 0
      const error = await pump((chunk) => {
        bytes += chunk.byteLength
        if (bytes > maxBytes) return 'stop'
        chunks.push(chunk)
        return 'progress'
      })
      if (error !== undefined) return { kind: 'failed', error }
      if (bytes > maxBytes) return { kind: 'failed', error: tooLarge(maxBytes) }
      return { kind: 'text', text: new TextDecoder().decode(Buffer.concat(chunks)) }
    },
    discard() {
      exchange.dispose()
      // The abort that this causes is nobody's business any more.
      raw.body.on('error', () => {})
      exchange.abort()
    },
  }
}

function tooLarge(maxBytes: number): LlmError {
  return protocolError(
    `The server's answer is larger than ${Math.round(maxBytes / 1024)} KiB.`,
    'Check that the API base is the address of a model API.',
  )
}

function pumpBody(
  body: Dispatcher.ResponseData['body'],
  exchange: Exchange,
  consume: (chunk: Uint8Array) => Consumed,
): Promise<LlmError | undefined> {
  return new Promise((resolve) => {
    let settled = false
    let stopped = false
    let left = DRAIN_BYTES
    const settle = (error: LlmError | undefined) => {
      if (settled) return
      settled = true
      exchange.dispose()
      resolve(error)
    }
    const drain = () => {
      stopped = true
      exchange.dispose()
      const { clock } = exchange
      const forget = [
        clock.after(END_MS, () => settle(undefined)),
        clock.after(DRAIN_MS, exchange.abort, { background: true }),
      ]
      body.once('close', () => {
        for (const cancel of forget) cancel()
      })
    }
    body.on('data', (chunk: Uint8Array) => {
      if (stopped) {
        left -= chunk.byteLength
        if (left < 0) exchange.abort()
        return
      }
      if (exchange.ended() !== undefined) return
      const consumed = consume(chunk)
      if (consumed === 'progress') exchange.deadline.extend(exchange.stallMs)
      else if (consumed === 'stop') drain()
    })
    const why = (thrown: unknown) =>
      stopped ? undefined : (exchange.ended() ?? networkError(thrown, exchange.url, true))
    let wholly = false
    body.once('end', () => {
      wholly = true
      // undici gives the connection back in the next turn of the event loop; a request sent before opens another.
      setImmediate(() => settle(stopped ? undefined : exchange.ended()))
    })
    body.on('error', (thrown) => settle(why(thrown)))
    body.once('close', () => {
      if (!wholly) settle(why(new Error('closed early')))
    })
  })
}
