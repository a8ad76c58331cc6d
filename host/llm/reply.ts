import type { ChatRequest, Completion, Dialect, LlmError, StreamChunk } from '../../sdk/index.ts'
import { protocolError } from './network-error.ts'
import type { HttpResponse } from './response.ts'
import { createSseFraming } from './sse.ts'

const MAX_BUFFERED_BYTES = 64 * 1024 * 1024
const MAX_STREAM_BYTES = 256 * 1024 * 1024

/** What a reply came to, and whether any event of it could be read. */
export interface ReadReply {
  readonly completion: Completion
  readonly events: number
}

/**
 * Reads a successful response through a dialect. Whether it is a stream is told by its first character, not by its
 * label: servers answer a streaming request with one JSON body, and label either as they like. Chunks go to `onChunk`,
 * but for the end, which is the answer.
 */
export async function readReply(
  response: HttpResponse,
  dialect: Dialect,
  options: { readonly request: ChatRequest; onChunk(chunk: StreamChunk): void },
): Promise<ReadReply> {
  const sink = createEndCatcher(options.onChunk)
  const decoder = dialect.makeDecoder(options.request, sink.take)
  let events = 0
  const framing = createSseFraming((event) => {
    events++
    decoder.push(event)
  })
  const buffered: Uint8Array[] = []
  const state: ReadState = { mode: 'unknown', bytes: 0, fault: undefined }

  const error = await response.pump((chunk) => {
    state.bytes += chunk.byteLength
    if (state.mode === 'unknown') state.mode = modeOf(chunk)
    if (state.bytes > (state.mode === 'buffered' ? MAX_BUFFERED_BYTES : MAX_STREAM_BYTES)) {
      state.fault = tooLarge()
      return 'stop'
    }
    if (state.mode === 'buffered') {
      buffered.push(chunk)
      return 'progress'
    }
    const pushed = framing.push(chunk)
    if (pushed === 'overflow') state.fault = tooLarge()
    return sink.end() !== undefined || state.fault !== undefined
      ? 'stop'
      : pushed === 'progress'
        ? 'progress'
        : 'idle'
  })

  if (state.mode === 'buffered' && error === undefined && state.fault === undefined) {
    const text = new TextDecoder().decode(Buffer.concat(buffered))
    return { completion: readBuffered(text, dialect, options), events: 1 }
  }
  if (error === undefined && state.fault === undefined) framing.end()
  decoder.finish(error ?? state.fault)
  return { completion: sink.end() ?? noEnd(error ?? state.fault), events }
}

interface ReadState {
  mode: 'unknown' | 'stream' | 'buffered'
  bytes: number
  fault: LlmError | undefined
}

/** Keeps the end back: there is one for each attempt, and one alone for whoever watches. */
function createEndCatcher(onChunk: (chunk: StreamChunk) => void) {
  let completion: Completion | undefined
  return {
    take(chunk: StreamChunk) {
      if (completion !== undefined) return
      if (chunk.type === 'end') completion = chunk.completion
      else onChunk(chunk)
    },
    end: () => completion,
  }
}

/** A JSON or HTML body begins with `{`, `[` or `<`; no line of an event stream does. */
function modeOf(chunk: Uint8Array): 'unknown' | 'stream' | 'buffered' {
  for (const byte of chunk) {
    const blank = byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf
    if (!blank) return byte === 0x7b || byte === 0x5b || byte === 0x3c ? 'buffered' : 'stream'
  }
  return 'unknown'
}

function readBuffered(
  text: string,
  dialect: Dialect,
  options: { readonly request: ChatRequest; onChunk(chunk: StreamChunk): void },
): Completion {
  const completion = dialect.parseCompletion(text, options.request)
  const { reasoning, text: said, toolCalls } = completion.message
  if (reasoning) options.onChunk({ type: 'reasoning', delta: reasoning })
  if (said !== '') options.onChunk({ type: 'text', delta: said })
  for (const [index, { name }] of toolCalls.entries()) {
    options.onChunk({ type: 'toolCallStarted', index, name })
  }
  return completion
}

function tooLarge(): LlmError {
  return protocolError(
    'The server sent more than amber is willing to read.',
    'Check that the API base is the address of a model API.',
  )
}

/** A dialect that never ends breaks its port; the reply is incomplete all the same. */
function noEnd(error: LlmError | undefined): Completion {
  return {
    message: { role: 'assistant', text: '', toolCalls: [] },
    finishReason: '',
    status: 'incomplete',
    usage: undefined,
    ...(error === undefined ? {} : { error }),
    dropped: 0,
  }
}
