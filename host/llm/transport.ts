import type { LlmError } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import { type Deadlines, openExchange, type Timing } from './exchange.ts'
import { createHttpAgent, type HttpAgent } from './http-agent.ts'
import { cancelledError, networkError } from './network-error.ts'
import { createResponse, type HttpResponse } from './response.ts'

/** One request. A redirect is never followed: it comes back as a response, and no credential goes with it. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body?: string
  readonly signal: AbortSignal
  /** All of it within so many milliseconds; without it a live stream may last for ever. */
  readonly totalMs?: number
}

/** What came of a request: a response of any status, or why there is none. */
export type HttpAnswer =
  | { readonly kind: 'response'; readonly response: HttpResponse }
  | { readonly kind: 'failed'; readonly error: LlmError }

/** The one HTTP client of every provider and every wallet (PRO-8). Never throws. */
export interface Transport {
  send(request: HttpRequest): Promise<HttpAnswer>
  /** Ends every connection, so that the process can end. A request in flight fails. */
  close(): Promise<void>
}

const DEADLINES: Deadlines = { connectMs: 10_000, firstByteMs: 120_000, stallMs: 60_000 }

/** Makes the transport. undici is loaded, and anything connected, at the first request. */
export function createTransport(options: {
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  readonly deadlines?: Partial<Deadlines>
}): Transport {
  const deadlines = { ...DEADLINES, ...options.deadlines }
  let agent: Promise<HttpAgent> | undefined
  let closed = false

  return {
    async send(request) {
      if (closed || request.signal.aborted) return { kind: 'failed', error: cancelledError() }
      agent ??= createHttpAgent({ connectMs: deadlines.connectMs, env: options.env })
      return exchange(await agent, request, { clock: options.clock, deadlines })
    },
    async close() {
      closed = true
      const open = agent
      agent = undefined
      await (await open)?.destroy()
    },
  }
}

async function exchange(agent: HttpAgent, request: HttpRequest, timing: Timing): Promise<HttpAnswer> {
  const controller = new AbortController()
  const running = openExchange(request, timing, controller)
  try {
    const sent = agent.request(request.url, {
      method: request.method,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'amber', ...request.headers },
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: controller.signal,
    })
    const raw = await Promise.race([sent, running.whenEnded])
    return { kind: 'response', response: createResponse(raw, running) }
  } catch (thrown) {
    running.dispose()
    return { kind: 'failed', error: running.ended() ?? networkError(thrown, request.url, false) }
  }
}
