import type { ChatRequest, Completion, LlmError, StreamChunk } from '../../sdk/index.ts'

/** A request that will be sent again (PRO-8): the countdown is for the screen. */
export interface RetryNotice {
  /** The attempt that failed, from 1. */
  readonly attempt: number
  readonly attempts: number
  readonly waitMs: number
  readonly error: LlmError
  /** Part of an answer was shown and will be told again from its start (`--retry-partial`). */
  readonly partial?: boolean
}

/** What watches one request. */
export interface ChatWatcher {
  readonly signal: AbortSignal
  /**
   * Nothing of a reply reaches the user before it is whole (`--output json`): then a request may be sent again
   * although text had begun to arrive.
   */
  readonly holdsText?: boolean
  /** The chunks of every attempt; `end` once, of the last. */
  onChunk(chunk: StreamChunk): void
  onRetry(notice: RetryNotice): void
}

/** Speaks to one model of one provider; the dialect was resolved once, when it was made (PRO-4). */
export interface ChatClient {
  readonly provider: string
  readonly flavor: string
  readonly model: string
  /** In tokens; undefined while unknown. An overflow error teaches it (bundled-plugins 5). */
  contextWindow(): number | undefined
  /** Never rejects: an error is in the completion, with the text that arrived before it. */
  chat(request: ChatRequest, watcher: ChatWatcher): Promise<Completion>
}
