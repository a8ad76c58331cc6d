import { redact } from './redact.ts'
import type { HttpResponse } from './response.ts'
import type { HttpRequest, Transport } from './transport.ts'

/** What goes over the wire to and from providers, as it goes; no header of it, and no key. */
export type WireEvent =
  | {
      readonly kind: 'request'
      /** Counts the exchanges of this process. */
      readonly exchange: number
      readonly method: string
      readonly url: string
      readonly body: string
    }
  | { readonly kind: 'response'; readonly exchange: number; readonly status: number }
  | { readonly kind: 'chunk'; readonly exchange: number; readonly text: string }
  /** `error` says why it ended early. */
  | { readonly kind: 'end'; readonly exchange: number; readonly error?: string }

/** A transport that can be listened to. */
export interface WireTap {
  readonly transport: Transport
  /** Calls the handler, which must not throw, with all that goes from now on; gives what ends that. */
  on(handler: (event: WireEvent) => void): () => void
}

/** Taps a transport; while nobody listens, requests pass untouched. Known keys are taken out of what is told (PRO-13). */
export function createWireTap(inner: Transport, secrets: () => readonly string[]): WireTap {
  const handlers = new Set<(event: WireEvent) => void>()
  const clean = (text: string) => redact(text, secrets())
  const tell = (event: WireEvent) => {
    for (const handler of [...handlers]) handler(event)
  }
  let exchanges = 0
  return {
    on(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
    transport: {
      close: () => inner.close(),
      async send(request: HttpRequest) {
        if (handlers.size === 0) return inner.send(request)
        exchanges += 1
        const exchange = exchanges
        const { method, url, body = '' } = request
        tell({ kind: 'request', exchange, method, url: clean(url), body: clean(body) })
        const answer = await inner.send(request)
        if (answer.kind === 'failed') {
          tell({ kind: 'end', exchange, error: clean(answer.error.message) })
          return answer
        }
        tell({ kind: 'response', exchange, status: answer.response.status })
        const heard = (event: Heard) => {
          if (event.kind === 'chunk') tell({ ...event, exchange, text: clean(event.text) })
          else
            tell({ ...event, exchange, ...(event.error === undefined ? {} : { error: clean(event.error) }) })
        }
        return { kind: 'response', response: listenTo(answer.response, heard) }
      },
    },
  }
}

type Heard =
  | { readonly kind: 'chunk'; readonly text: string }
  | { readonly kind: 'end'; readonly error?: string }

function listenTo(response: HttpResponse, heard: (event: Heard) => void): HttpResponse {
  return {
    status: response.status,
    header: (name) => response.header(name),
    discard: () => response.discard(),
    async pump(consume) {
      const decoder = new TextDecoder()
      const error = await response.pump((chunk) => {
        // Told first: what the bytes decode to comes after them.
        heard({ kind: 'chunk', text: decoder.decode(chunk, { stream: true }) })
        return consume(chunk)
      })
      heard({ kind: 'end', ...(error === undefined ? {} : { error: error.message }) })
      return error
    },
    async text(maxBytes) {
      const read = await response.text(maxBytes)
      if (read.kind === 'text') heard({ kind: 'chunk', text: read.text })
      heard({ kind: 'end', ...(read.kind === 'failed' ? { error: read.error.message } : {}) })
      return read
    },
  }
}
