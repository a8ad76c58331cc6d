import type { Dialect, LlmError, WireFailure } from '../../sdk/index.ts'
import { kindOf } from './error-kind.ts'
import { readOverflowNumbers } from './overflow.ts'
import { retryDelayMs } from './quota.ts'
import { redact } from './redact.ts'
import { type Endpoint, headline, remedy } from './remedies.ts'
import { readRetryAfter } from './retry-after.ts'
import { readServerWords } from './server-words.ts'

/** What names the request that failed, and what may not be told. */
export interface ErrorContext {
  readonly endpoint: Endpoint
  readonly dialect: Pick<Dialect, 'isRetryable' | 'contextOverflowHint'>
  /** Keys, masked wherever a server quotes them (PRO-13). */
  readonly secrets: readonly string[]
  /** Milliseconds since 1970, for `Retry-After` dates. */
  readonly now: number
}

/** A named error, and the context window that it taught, in tokens. */
export interface Classified {
  readonly error: LlmError
  readonly contextWindow: number | undefined
}

/** Names a response that is no success (PRO-12). */
export function classifyResponse(
  response: { readonly status: number; readonly body: string; header(name: string): string | undefined },
  context: ErrorContext,
): Classified {
  const wait = readRetryAfter((name) => response.header(name), context.now)
  return classify({ status: response.status, body: response.body }, context, wait)
}

/** Names an error that came inside a reply that had begun well (S14, R7). */
export function classifyFailure(failure: WireFailure, context: ErrorContext): Classified {
  return classify(failure, context, undefined)
}

/** The status that stands for a kind, to ask a dialect whether an error without one may be tried again. */
const STATUS_OF = { 'rate-limit': 429, overloaded: 503, server: 500 } as const

function classify(failure: WireFailure, context: ErrorContext, waitMs: number | undefined): Classified {
  const words = readServerWords(failure.body)
  const kind = kindOf({ status: failure.status, body: failure.body, words })
  const status = failure.status ?? words.status
  const retryAfterMs = waitMs ?? retryDelayMs(failure.body)
  const window = kind === 'context-overflow' ? contextWindow(failure.body, context) : undefined
  const message = headline(kind, { endpoint: context.endpoint, status, said: words.message })
  return {
    error: {
      kind,
      ...(status === undefined ? {} : { status }),
      retryable: isRetryable(kind, status, failure.body, context),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      message: redact(message, context.secrets),
      hint: remedy(kind, { endpoint: context.endpoint, status, said: words.message }),
    },
    contextWindow: window,
  }
}

function contextWindow(body: string, { dialect }: ErrorContext): number | undefined {
  return dialect.contextOverflowHint(body) ?? readOverflowNumbers(body).limit
}

/** 401 and 403 never, whatever the dialect says, nor anything that the same request cannot cure (bundled-plugins 5). */
function isRetryable(
  kind: LlmError['kind'],
  status: number | undefined,
  body: string,
  { dialect }: ErrorContext,
): boolean {
  if (kind === 'rate-limit' || kind === 'overloaded' || kind === 'server') {
    // A rate limit in a 413 means that this very request is too large for it.
    return dialect.isRetryable(status ?? STATUS_OF[kind], body)
  }
  return kind === 'bad-request' && status !== undefined && dialect.isRetryable(status, body)
}
