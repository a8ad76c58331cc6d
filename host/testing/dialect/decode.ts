import type { ChatRequest, Completion, Dialect, StreamChunk } from '../../../sdk/index.ts'
import { createSseFraming } from '../../llm/sse.ts'
import { sealCompletion } from '../../llm/tool-calls.ts'

/** What a stream came to, as amber's client sees it. */
export interface Decoded {
  /** The last `end`, with ids made and cut calls taken out. Undefined when none came. */
  readonly completion: Completion | undefined
  readonly text: string
  readonly reasoning: string
  readonly ends: number
}

/** A request of which only the answer matters. */
export const ANY_REQUEST: ChatRequest = { messages: [], tools: [], stream: true }

/** Frames and decodes bytes in the given pieces. */
export function decode(dialect: Dialect, pieces: Iterable<Uint8Array>): Decoded {
  const chunks: StreamChunk[] = []
  const decoder = dialect.makeDecoder(ANY_REQUEST, (chunk) => chunks.push(chunk))
  const framing = createSseFraming((event) => decoder.push(event))
  for (const piece of pieces) framing.push(piece)
  framing.end()
  decoder.finish()
  decoder.finish()
  const ends = chunks.flatMap((chunk) => (chunk.type === 'end' ? [chunk.completion] : []))
  const last = ends.at(-1)
  const said = (type: 'text' | 'reasoning') =>
    chunks.map((chunk) => (chunk.type === type ? chunk.delta : '')).join('')
  return {
    completion: last && sealCompletion(last, []),
    text: said('text'),
    reasoning: said('reasoning'),
    ends: ends.length,
  }
}

/** A whole answer, sealed as the client does. */
export function readWhole(dialect: Dialect, body: string): Completion {
  return sealCompletion(dialect.parseCompletion(body, { ...ANY_REQUEST, stream: false }), [])
}

/** Cuts a body into pieces of so many bytes. */
export function* pieces(body: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size)
}
