import type { LlmError } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { cancelledError, stalledError } from './network-error.ts'

/** Deadlines in milliseconds (bundled-plugins 5). */
export interface Deadlines {
  readonly connectMs: number
  /** From sending to the first byte that is no keep-alive. */
  readonly firstByteMs: number
  /** Between two pieces of progress. */
  readonly stallMs: number
}

/** The clock that they run by. */
export interface Timing {
  readonly clock: Clock
  readonly deadlines: Deadlines
}

/** What can end a request from this side, and which of them did. */
export interface Exchange {
  readonly url: string
  readonly clock: Clock
  readonly deadline: Deadline
  readonly stallMs: number
  /** Why this side ended it; undefined when the other side did. */
  ended(): LlmError | undefined
  /** Rejects when this side ends it, at once, whatever the connection is doing. */
  readonly whenEnded: Promise<never>
  abort(): void
  dispose(): void
}

interface Cancellable {
  readonly url: string
  readonly signal: AbortSignal
  readonly totalMs?: number
}

/** Starts the deadlines of one request and ties them, and its signal, to the controller that ends it. */
export function openExchange(
  request: Cancellable,
  { clock, deadlines }: Timing,
  controller: AbortController,
): Exchange {
  let ended: LlmError | undefined
  let reject: (reason: Error) => void = () => {}
  const whenEnded = new Promise<never>((_resolve, refuse) => {
    reject = refuse
  })
  whenEnded.catch(() => {})
  const end = (error: LlmError) => {
    ended ??= error
    controller.abort()
    reject(new Error(error.message))
  }
  const cancel = () => end(cancelledError())
  request.signal.addEventListener('abort', cancel, { once: true })
  const deadline = startDeadline(clock, deadlines.firstByteMs, (ms) =>
    end(stalledError(request.url, 'sent nothing', ms)),
  )
  const total = request.totalMs
  const stopTotal =
    total === undefined
      ? () => {}
      : clock.after(total, () => end(stalledError(request.url, 'did not finish its answer', total)))
  return {
    url: request.url,
    clock,
    deadline,
    stallMs: deadlines.stallMs,
    ended: () => ended,
    whenEnded,
    abort: () => controller.abort(),
    dispose() {
      request.signal.removeEventListener('abort', cancel)
      deadline.dispose()
      stopTotal()
    },
  }
}
