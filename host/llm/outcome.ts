import type { Completion, LlmError } from '../../sdk/index.ts'
import { type Classified, classifyFailure, classifyResponse, type ErrorContext } from './errors.ts'
import { protocolError } from './network-error.ts'
import type { HttpResponse } from './response.ts'
import { originOf } from './url.ts'

/** What naming an error needs, and who learns from it. */
export interface Outcome {
  readonly context: ErrorContext
  learn(contextWindow: number | undefined): void
}

const MAX_ERROR_BYTES = 1024 * 1024

/** Gives a reply that did not end well its error: the server's own (S14), or that it stopped (S17, S19). */
export function withError(completion: Completion, events: number, outcome: Outcome): Completion {
  if (completion.error !== undefined) return completion
  if (completion.failure !== undefined) {
    const { error, contextWindow } = classifyFailure(completion.failure, outcome.context)
    outcome.learn(contextWindow)
    return { ...completion, error }
  }
  if (completion.status !== 'incomplete' || completion.finishReason !== '') return completion
  return { ...completion, error: stoppedShort(completion, events, outcome.context.endpoint.provider) }
}

function stoppedShort(completion: Completion, events: number, provider: string): LlmError {
  const hint = 'Send it again; if it goes on, the server or a proxy in between cuts long answers off.'
  if (events === 0) return protocolError(`${provider} answered with no data at all.`, hint, true)
  if (completion.dropped === events) {
    return protocolError(`${provider} sent ${events} events, and none of them can be read.`, hint, true)
  }
  return protocolError(`${provider} stopped before the end of its answer.`, hint, true)
}

/** The error that a response of another status than 200 stands for. */
export async function readError(response: HttpResponse, outcome: Outcome): Promise<LlmError> {
  const { status } = response
  const location = response.header('location')
  if (status >= 300 && status < 400 && location !== undefined) {
    response.discard()
    return redirected(location, outcome.context.endpoint.provider)
  }
  const body = await response.text(MAX_ERROR_BYTES)
  if (body.kind === 'failed' && body.error.kind === 'cancelled') return body.error
  const classified: Classified = classifyResponse(
    { status, body: body.kind === 'text' ? body.text : '', header: (name) => response.header(name) },
    outcome.context,
  )
  outcome.learn(classified.contextWindow)
  return classified.error
}

/** Followed, it would carry the key to wherever the answer points. */
function redirected(location: string, provider: string): LlmError {
  return {
    kind: 'bad-request',
    retryable: false,
    message: `${provider} sends its requests on to ${originOf(location)}.`,
    hint: 'If that address is right, make it the API base (--api-base): amber does not send keys on.',
  }
}
