import {
  type Completion,
  isRecord,
  type JsonRecord,
  type LlmError,
  listOf,
  numberOf,
  parseJson,
  recordOf,
  type StreamChunk,
  textOf,
  type WireEvent,
  type WireFailure,
  type WireUsage,
} from 'amber-agent/sdk'
import { type Blocks, createBlocks } from './blocks.ts'
import { readFailure, splicedError } from './failure.ts'
import { normaliseUsage, readWireUsage } from './usage.ts'

/** What one reply has come to so far. */
export interface Reply {
  /** Takes an event; `ended` after the last one that counts. */
  take(event: WireEvent): 'goes on' | 'ended'
  /** Takes a whole message, as a buffered answer brings it. */
  takeMessage(message: JsonRecord): void
  complete(error: LlmError | undefined): Completion
}

/** All of a reply but its blocks. */
interface ReplyState {
  readonly blocks: Blocks
  messageId: string | undefined
  finishReason: string
  refusal: string
  /** The last event came. */
  stopped: boolean
  wire: WireUsage | undefined
  failure: WireFailure | undefined
  broken: LlmError | undefined
  dropped: number
}

/** Begins a reply. */
export function createReply(onChunk: (chunk: StreamChunk) => void): Reply {
  const state: ReplyState = {
    blocks: createBlocks(onChunk),
    messageId: undefined,
    finishReason: '',
    refusal: '',
    stopped: false,
    wire: undefined,
    failure: undefined,
    broken: undefined,
    dropped: 0,
  }
  return {
    take(event) {
      if (event.data.trim() === '[DONE]') return 'ended'
      const body = event.data === '' ? {} : recordOf(parseJson(event.data))
      state.failure = readFailure(event, body)
      if (state.failure !== undefined) return 'ended'
      if (body === undefined) state.dropped++
      else takeTyped(state, textOf(body.type) || (event.event ?? ''), body)
      return state.stopped || state.broken !== undefined ? 'ended' : 'goes on'
    },
    takeMessage: (message) => takeWhole(state, message),
    complete: (error) => toCompletion(state, error),
  }
}

/** Takes an event by its type; unknown ones change nothing (S21). */
function takeTyped(state: ReplyState, type: string, body: JsonRecord): void {
  const index = numberOf(body.index)
  switch (type) {
    case 'message_start':
      begin(state, recordOf(body.message) ?? {})
      break
    case 'content_block_start':
      state.blocks.start(index, recordOf(body.content_block) ?? {})
      break
    case 'content_block_delta':
      if (!state.blocks.add(index, recordOf(body.delta) ?? {})) state.dropped++
      break
    case 'message_delta':
      takeEnd(state, recordOf(body.delta) ?? {})
      takeUsage(state, body.usage)
      break
    case 'message_stop':
      state.stopped = true
      break
    case 'message':
      // A server that does not stream after all sends the whole message as its only event.
      takeWhole(state, body)
  }
}

/** Gateways send the same beginning twice; another one means that a second answer was spliced in. */
function begin(state: ReplyState, message: JsonRecord): void {
  const id = textOf(message.id)
  if (state.messageId !== undefined && id !== state.messageId) state.broken = splicedError()
  state.messageId ??= id
  takeUsage(state, message.usage)
}

function takeWhole(state: ReplyState, message: JsonRecord): void {
  for (const block of listOf(message.content).filter(isRecord)) state.blocks.start(undefined, block)
  takeEnd(state, message)
  takeUsage(state, message.usage)
  state.stopped = true
}

function takeEnd(state: ReplyState, end: JsonRecord): void {
  state.finishReason = textOf(end.stop_reason) || state.finishReason
  state.refusal = textOf(recordOf(end.stop_details)?.explanation) || state.refusal
}

function takeUsage(state: ReplyState, usage: unknown): void {
  const read = readWireUsage(usage)
  if (read !== undefined) state.wire = { ...state.wire, ...read }
}

function toCompletion(state: ReplyState, error: LlmError | undefined): Completion {
  const { failure, broken, finishReason, refusal, wire, dropped } = state
  const failed = failure !== undefined || broken !== undefined
  // Whoever says why it stopped has said everything; some gateways leave the last event out.
  const whole = state.stopped || finishReason !== ''
  const why = broken ?? (failure === undefined && !whole ? error : undefined)
  return {
    message: state.blocks.message(),
    finishReason,
    status: failed ? 'error' : whole ? 'complete' : 'incomplete',
    usage: wire === undefined ? undefined : normaliseUsage(wire),
    ...(refusal === '' ? {} : { refusal }),
    ...(failure === undefined ? {} : { failure }),
    ...(why === undefined ? {} : { error: why }),
    dropped,
  }
}
