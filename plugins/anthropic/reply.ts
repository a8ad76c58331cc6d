import type { Completion, LlmError, StreamChunk, WireEvent, WireFailure, WireUsage } from 'amber-agent/sdk'
import { createBlocks } from './blocks.ts'
import { readFailure, splicedError } from './failure.ts'
import { isRecord, type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from './json.ts'
import { normaliseUsage, readWireUsage } from './usage.ts'

/** What one reply has come to so far. */
export interface Reply {
  /** Takes an event; `ended` after the last one that counts. */
  take(event: WireEvent): 'goes on' | 'ended'
  /** Takes a whole message, as a buffered answer brings it. */
  takeMessage(message: JsonRecord): void
  complete(error: LlmError | undefined): Completion
}

/** Begins a reply. Events of unknown types change nothing (S21). */
export function createReply(onChunk: (chunk: StreamChunk) => void): Reply {
  const blocks = createBlocks(onChunk)
  let messageId: string | undefined
  let finishReason = ''
  let refusal = ''
  let stopped = false
  let wire: WireUsage | undefined
  let failure: WireFailure | undefined
  let broken: LlmError | undefined
  let dropped = 0

  const takeUsage = (usage: unknown) => {
    const read = readWireUsage(usage)
    if (read !== undefined) wire = { ...wire, ...read }
  }
  const takeEnd = (end: JsonRecord) => {
    finishReason = textOf(end.stop_reason) || finishReason
    refusal = textOf(recordOf(end.stop_details)?.explanation) || refusal
  }
  const begin = (message: JsonRecord) => {
    const id = textOf(message.id)
    // Gateways send the same beginning twice; another one means that a second answer was spliced in.
    if (messageId !== undefined && id !== messageId) broken = splicedError()
    messageId ??= id
    takeUsage(message.usage)
  }
  const takeTyped = (type: string, body: JsonRecord) => {
    const index = numberOf(body.index)
    switch (type) {
      case 'message_start':
        return begin(recordOf(body.message) ?? {})
      case 'content_block_start':
        return blocks.start(index, recordOf(body.content_block) ?? {})
      case 'content_block_delta':
        if (!blocks.add(index, recordOf(body.delta) ?? {})) dropped++
        return
      case 'message_delta':
        takeEnd(recordOf(body.delta) ?? {})
        return takeUsage(body.usage)
      case 'message_stop':
        stopped = true
        return
      case 'message':
        // A server that does not stream after all sends the whole message as its only event.
        return takeWhole(body)
    }
  }
  const takeWhole = (message: JsonRecord) => {
    for (const block of listOf(message.content).filter(isRecord)) blocks.start(undefined, block)
    takeEnd(message)
    takeUsage(message.usage)
    stopped = true
  }

  return {
    take(event) {
      if (event.data.trim() === '[DONE]') return 'ended'
      const body = event.data === '' ? {} : recordOf(parseJson(event.data))
      failure = readFailure(event, body)
      if (failure !== undefined) return 'ended'
      if (body === undefined) dropped++
      else takeTyped(textOf(body.type) || (event.event ?? ''), body)
      return stopped || broken !== undefined ? 'ended' : 'goes on'
    },
    takeMessage: takeWhole,
    complete(error) {
      const failed = failure !== undefined || broken !== undefined
      // Whoever says why it stopped has said everything; some gateways leave the last event out.
      const whole = stopped || finishReason !== ''
      const why = broken ?? (failure === undefined && !whole ? error : undefined)
      return {
        message: blocks.message(),
        finishReason,
        status: failed ? 'error' : whole ? 'complete' : 'incomplete',
        usage: wire === undefined ? undefined : normaliseUsage(wire),
        ...(refusal === '' ? {} : { refusal }),
        ...(failure === undefined ? {} : { failure }),
        ...(why === undefined ? {} : { error: why }),
        dropped,
      }
    },
  }
}
