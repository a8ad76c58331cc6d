import type { LlmError, StreamChunk, StreamDecoder } from 'amber-agent/sdk'
import { createReply } from './reply.ts'

/**
 * Decodes a stream of message events. The end comes with `message_stop`, with an error in the stream, or with `finish`,
 * whichever is first, and once (PRO-10).
 */
export function makeDecoder(onChunk: (chunk: StreamChunk) => void): StreamDecoder {
  const reply = createReply(onChunk)
  let ended = false
  const end = (error: LlmError | undefined) => {
    if (ended) return
    ended = true
    onChunk({ type: 'end', completion: reply.complete(error) })
  }
  return {
    push(event) {
      if (!ended && reply.take(event) === 'ended') end(undefined)
    },
    finish: (error) => end(error),
  }
}
