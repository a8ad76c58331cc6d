import type { TurnSink } from '../../agent/turn.ts'
import type { Clock } from '../../base/clock.ts'
import { sanitiseLine } from '../../base/sanitise.ts'
import type { Figures } from '../status/figures.ts'
import {
  type AnswerBlock,
  answerBlock,
  errorBlock,
  noticeBlock,
  type ReasoningBlock,
  reasoningBlock,
} from './message-blocks.ts'
import { type ToolBlock, toolBlock } from './tool-block.ts'
import type { Transcript } from './transcript.ts'

/** What a turn puts into the transcript while it runs. */
export interface TurnView {
  readonly sink: TurnSink
  runningTool(): string
  waitingSeconds(): number
  /** The turn is over: nothing of it runs any more. */
  end(): void
}

/** What a view of a turn is made of. */
export interface TurnViewDeps {
  readonly transcript: Transcript
  readonly clock: Clock
  readonly figures: Figures
  readonly onChange: () => void
}

/** Makes one for a turn that begins now. */
export function createTurnView({ transcript, clock, figures, onChange }: TurnViewDeps): TurnView {
  let answer: AnswerBlock | undefined
  let reasoning: ReasoningBlock | undefined
  let waiting = 0
  // When the model was last handed the word: the first thing that it says ends the lag.
  let askedAt: number | undefined = clock.monotonic()
  const calls = new Map<string, ToolBlock>()
  const verbs = new Map<string, string>()

  const spoke = () => {
    if (askedAt !== undefined) figures.latencyMs = clock.monotonic() - askedAt
    askedAt = undefined
  }
  const endReasoning = () => {
    reasoning?.end(clock.monotonic())
    reasoning = undefined
  }
  const put = (block: Parameters<Transcript['add']>[0]) => {
    endReasoning()
    answer = undefined
    transcript.add(block)
    onChange()
  }
  const keyOf = ({ id, lane }: { readonly id: string; readonly lane?: string }) => `${lane ?? ''}\n${id}`

  const sink: TurnSink = {
    text(delta) {
      if (delta === '') return
      spoke()
      endReasoning()
      if (answer === undefined) {
        if (delta.trim() === '') return
        answer = answerBlock()
        transcript.add(answer)
      }
      answer.append(delta)
      onChange()
    },
    reasoning(delta) {
      spoke()
      if (reasoning === undefined) {
        answer = undefined
        reasoning = reasoningBlock(clock.monotonic())
        transcript.add(reasoning)
      }
      reasoning.append(delta)
      onChange()
    },
    toolRequested(call) {
      spoke()
      verbs.set(keyOf(call), sanitiseLine(call.verb))
      const parent = call.lane === undefined ? undefined : calls.get(`\n${call.lane}`)
      if (parent !== undefined) {
        parent.child(`${call.verb} ${call.summary}`)
        onChange()
        return
      }
      const block = toolBlock(call, clock.monotonic())
      calls.set(keyOf(call), block)
      put(block)
    },
    toolProgress(id, text) {
      calls.get(`\n${id}`)?.progress(text)
      onChange()
    },
    toolCompleted(call) {
      verbs.delete(keyOf(call))
      calls.get(keyOf(call))?.complete(call)
      if (verbs.size === 0) askedAt = clock.monotonic()
      onChange()
    },
    responded({ inputTokens, outputTokens, durationMs }) {
      figures.promptTokens = inputTokens
      figures.completionTokens = outputTokens
      figures.tps =
        outputTokens === undefined || durationMs < 1 ? undefined : outputTokens / (durationMs / 1000)
      onChange()
    },
    notice: (message) => put(noticeBlock(message)),
    waiting(secondsLeft) {
      waiting = secondsLeft
      onChange()
    },
    error: ({ message, hint }) => put(errorBlock(message, hint)),
  }
  return {
    sink,
    runningTool: () => [...verbs.values()].at(-1) ?? '',
    waitingSeconds: () => waiting,
    end() {
      endReasoning()
      for (const block of calls.values()) if (block.isRunning()) block.abandon()
    },
  }
}
