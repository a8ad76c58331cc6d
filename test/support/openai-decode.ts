import assert from 'node:assert/strict'
import { openAiDialect } from '../../host/llm/openai/dialect.ts'
import { createSseFraming } from '../../host/llm/sse.ts'
import type { Completion, Message, StreamChunk } from '../../sdk/index.ts'

/** What a stream came to. */
export interface Decoded {
  readonly chunks: readonly StreamChunk[]
  readonly completion: Completion
}

/** Decodes the bytes or the text of a stream of the OpenAI protocol, in the given pieces. */
export function decodeOpenAi(
  pieces: readonly (string | Uint8Array)[],
  conversation: readonly Message[] = [],
): Decoded {
  const chunks: StreamChunk[] = []
  const request = { messages: conversation, tools: [], stream: true }
  const decoder = openAiDialect.makeDecoder(request, (chunk) => chunks.push(chunk))
  const framing = createSseFraming((event) => decoder.push(event))
  for (const piece of pieces) framing.push(typeof piece === 'string' ? Buffer.from(piece) : piece)
  framing.end()
  decoder.finish()
  const ends = chunks.filter((chunk) => chunk.type === 'end')
  assert.equal(ends.length, 1)
  const [end] = ends
  assert.ok(end)
  return { chunks, completion: end.completion }
}

/** One event. */
export function event(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

/** An event with one delta. */
export function delta(content: unknown, finishReason: string | null = null): string {
  return event({ choices: [{ index: 0, delta: content, finish_reason: finishReason }] })
}
