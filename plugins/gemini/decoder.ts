import type { LlmError, StreamChunk, StreamDecoder } from 'amber-agent/sdk'
import { createReply } from './reply.ts'

/** Decodes a stream of generateContent answers. The end comes with an error in the stream or with `finish`, once (PRO-10). */
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
      if (!ended && reply.take(event) === 'failed') end(undefined)
    },
    finish: (error) => end(error),
  }
}
