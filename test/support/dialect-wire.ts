import assert from 'node:assert/strict'
import { type Classified, classifyFailure } from '../../host/llm/errors.ts'
import { createSseFraming } from '../../host/llm/sse.ts'
import { sealCompletion } from '../../host/llm/tool-calls.ts'
import type { ChatRequest, Completion, Dialect, StreamChunk } from '../../sdk/index.ts'
import type { WireFixture } from './wire-corpus.ts'

/** A request of which only the answer matters. */
export const PLAIN_REQUEST: ChatRequest = { messages: [], tools: [], stream: true }

/** What a stream came to, as the client sees it. */
export interface DecodedStream {
  readonly completion: Completion
  readonly chunks: readonly StreamChunk[]
  /** What the chunks told of the text and of the thinking. */
  readonly text: string
  readonly reasoning: string
  readonly ends: number
}

/** Frames and decodes a stream's bytes, in the given pieces, and seals it as the client does. */
export function decodeStream(dialect: Dialect, pieces: Iterable<Uint8Array | string>): DecodedStream {
  const chunks: StreamChunk[] = []
  const decoder = dialect.makeDecoder(PLAIN_REQUEST, (chunk) => chunks.push(chunk))
  const framing = createSseFraming((event) => decoder.push(event))
  for (const piece of pieces) framing.push(typeof piece === 'string' ? Buffer.from(piece) : piece)
  framing.end()
  decoder.finish()
  const ends = chunks.filter((chunk) => chunk.type === 'end')
  const [end] = ends
  assert.ok(end)
  const said = (type: 'text' | 'reasoning') =>
    chunks.map((chunk) => (chunk.type === type ? chunk.delta : '')).join('')
  return {
    completion: sealCompletion(end.completion, []),
    chunks,
    text: said('text'),
    reasoning: said('reasoning'),
    ends: ends.length,
  }
}

/** Reads a buffered answer and seals it as the client does. */
export function readBuffered(dialect: Dialect, raw: string): Completion {
  return sealCompletion(dialect.parseCompletion(raw, PLAIN_REQUEST), [])
}

/** Cuts a body into pieces. */
export function* inPieces(body: Uint8Array, size: () => number): Generator<Uint8Array> {
  for (let at = 0; at < body.length; ) {
    const length = Math.max(1, size())
    yield body.subarray(at, at + length)
    at += length
  }
}

/** The body with every line end of one kind. */
export function withLineEnds(body: Buffer, end: string): Buffer {
  return Buffer.from(body.toString('utf8').replace(/\r\n|\r|\n/g, end))
}

/** One server-sent event, named where a name is given. */
export function sseEvent(data: unknown, name?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`
}

/** The error that a failure inside a reply is named. */
export function classified(dialect: Dialect, completion: Completion): Classified {
  assert.ok(completion.failure)
  return classifyFailure(completion.failure, {
    endpoint: { provider: 'acme', model: 'acme-1', origin: 'https://acme.test' },
    dialect,
    secrets: [],
    now: 0,
  })
}

/** Holds a completion against what a fixture's file expects of text, thinking, calls, reason and usage (PRO-11). */
export function checkCompletion({ expected, name }: WireFixture, completion: Completion): void {
  const text = (key: string) => (typeof expected[key] === 'string' ? expected[key] : '')
  assert.equal(completion.message.text, text('text'), name)
  assert.equal(completion.message.reasoning ?? '', text('reasoning'), name)
  assert.equal(completion.finishReason, text('finishReason'), name)
  checkCalls(expected.toolCalls, completion, name)
  checkUsage(expected.usage, completion, name)
}

function checkCalls(expected: unknown, completion: Completion, fixture: string): void {
  assert.ok(Array.isArray(expected))
  const whole = expected.filter((call) => isJson(call.rawArguments ?? call.arguments))
  const made = completion.message.toolCalls
  assert.deepEqual(
    made.map((call) => ({ name: call.name, arguments: parsed(call.arguments) })),
    whole.map((call) => ({ name: call.name, arguments: parsed(call.arguments) })),
    fixture,
  )
  whole.forEach((call, at) => {
    if (typeof call.id === 'string' && call.id !== '<generated>') assert.equal(made[at]?.id, call.id, fixture)
  })
  assert.ok(made.every(({ id }) => id !== ''))
  assert.equal(new Set(made.map(({ id }) => id)).size, made.length, fixture)
  if (whole.length === expected.length) return
  assert.equal(completion.status, 'incomplete', fixture)
  assert.equal(completion.cutCalls?.length, expected.length - whole.length, fixture)
}

function checkUsage(expected: unknown, completion: Completion, fixture: string): void {
  if (typeof expected !== 'object' || expected === null) {
    assert.equal(completion.usage, undefined, fixture)
    return
  }
  const wire: Record<string, unknown> = { ...completion.usage?.wire }
  assert.deepEqual(wire, expected, fixture)
}

function parsed(json: string): unknown {
  return json.trim() === '' ? {} : JSON.parse(json)
}

function isJson(json: string): boolean {
  try {
    parsed(json)
    return true
  } catch {
    return false
  }
}
