import type { AssistantMessage, Completion, ToolCallRequest } from '../../sdk/index.ts'
import type { InstalledTool } from '../registry/contribution.ts'
import { readArguments } from './arguments.ts'
import { type AskDeps, askModel } from './ask-model.ts'
import { runBatch } from './batch.ts'
import { type Compressor, compressionText } from './compression.ts'
import type { Detector } from './detector.ts'
import type { CallOutcome, CallWatcher } from './dispatch-tool.ts'
import { completionError, EMPTY_NOTICE, finishNotice } from './finish.ts'
import type { CallRequest } from './judge-call.ts'
import { modelText, shownText } from './tool-answer.ts'
import type { TurnError, TurnSink } from './turn.ts'
import type { TurnFacts, TurnRecord } from './turn-record.ts'

/** What the loop needs. */
export interface LoopDeps extends AskDeps {
  readonly dispatch: (request: CallRequest, watcher: CallWatcher) => Promise<CallOutcome>
  readonly maxRequests: number
  /** Makes room before the window is full (bundled-plugins 6). */
  readonly compressor: Compressor
  /** Looks for circles; a fresh one for each turn. */
  readonly createDetector: () => Detector
}

/** Who watches a turn, and what gathers its result. */
export interface LoopWatch {
  readonly signal: AbortSignal
  readonly sink: TurnSink
  readonly record: TurnRecord
}

/** One turn while it runs. */
interface Running {
  readonly deps: LoopDeps
  readonly signal: AbortSignal
  readonly sink: TurnSink
  readonly record: TurnRecord
  readonly detect: Detector
}

/** How a round ended: another one follows, or the turn is over for this reason. */
type RoundEnd = { readonly kind: 'next' } | { readonly kind: 'over'; readonly reason: string }

/**
 * Runs a turn whose user message is already in the conversation: request, tool calls, results in call order, again,
 * until the model has nothing more to call (bundled-plugins 6).
 */
export async function runLoop(deps: LoopDeps, { signal, sink, record }: LoopWatch): Promise<TurnFacts> {
  const running: Running = { deps, signal, sink, record, detect: deps.createDetector() }
  let askedAgain = false
  let squeezed = false
  for (let request = 1; ; request++) {
    if (signal.aborted) return over(running, 'cancelled')
    if (request > deps.maxRequests) {
      fail(running, limitError(deps.maxRequests))
      return over(running, 'limit')
    }
    if (await deps.compressor.isDue()) await makeRoom(running, { deep: false })
    const completion = await askModel(deps, { signal, sink })
    running.record.completion(completion)
    deps.compressor.saw(completion.usage)
    if (completion.error?.kind === 'context-overflow' && !squeezed) {
      squeezed = true
      if (await makeRoom(running, { deep: true })) continue
    }
    if (isEmpty(completion) && !askedAgain) {
      askedAgain = true
      continue
    }
    const end = await finishRound(running, completion)
    if (end.kind === 'over') return over(running, end.reason)
  }
}

/** Sums the conversation up and says what came of it; true when there is more room. */
async function makeRoom(
  { deps, signal, sink, record }: Running,
  { deep }: { readonly deep: boolean },
): Promise<boolean> {
  const result = await deps.compressor.compress({ signal, deep, onUsage: (usage) => record.used(usage) })
  if (!signal.aborted) sink.notice(compressionText(result))
  return result.kept
}

const over = (running: Running, reason: string) => running.record.facts(reason)

/** Tells the error once, to everybody who wants to know. */
function fail({ record, sink, deps }: Running, error: TurnError): void {
  record.error(error)
  sink.error(error)
  const { kind, message, hint } = error
  if (deps.bus.has('error.raised')) deps.bus.publish('error.raised', { kind, message, hint })
}

function limitError(maxRequests: number): TurnError {
  return {
    kind: 'limit',
    message: `The turn used up its ${maxRequests} requests to the model.`,
    hint: 'Ask it to go on, or allow more with --max-turns.',
  }
}

function isEmpty({ status, message, refusal, cutCalls }: Completion): boolean {
  return (
    status === 'complete' &&
    message.text.trim() === '' &&
    message.toolCalls.length === 0 &&
    !refusal &&
    !cutCalls?.length
  )
}

async function finishRound(running: Running, completion: Completion): Promise<RoundEnd> {
  const { sink, signal, deps } = running
  const { message } = completion
  if (completion.dropped > 0)
    sink.notice(`${completion.dropped} malformed events of the answer were dropped.`)
  const error = completionError(completion)
  if (error !== undefined) {
    keepPartial(running, message)
    if (signal.aborted || error.kind === 'cancelled') return { kind: 'over', reason: 'cancelled' }
    fail(running, error)
    return { kind: 'over', reason: completion.status === 'incomplete' ? 'incomplete' : 'error' }
  }
  const notice = finishNotice(completion) ?? (isEmpty(completion) ? EMPTY_NOTICE : undefined)
  if (notice !== undefined) sink.notice(notice)
  // An empty assistant message is refused by some servers when it is sent back (row P18).
  if (message.text !== '' || message.toolCalls.length > 0) deps.conversation.add(message)
  if (message.toolCalls.length === 0) return { kind: 'over', reason: completion.finishReason }
  return runCalls(running, message)
}

/** What arrived before a reply broke off stays, without its calls, which nobody can trust (PRO-10). */
function keepPartial({ deps }: Running, message: AssistantMessage): void {
  if (message.text.trim() === '') return
  const { text, reasoning, origin } = message
  deps.conversation.add({
    role: 'assistant',
    text,
    toolCalls: [],
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(origin === undefined ? {} : { origin }),
  })
}

async function runCalls(running: Running, message: AssistantMessage): Promise<RoundEnd> {
  const { deps, signal } = running
  const outcomes = await runBatch(
    message.toolCalls,
    {
      parallel: (call) => laneOf(deps.snapshot().tools.get(call.name)),
      run: (call) => runCall(running, call),
      skip: (call) => unstarted(call, 'The call was cancelled before it started.'),
    },
    signal,
  )
  for (const outcome of outcomes) {
    const { id: callId, name, ok } = outcome
    deps.conversation.add({ role: 'tool', callId, name, ok, text: modelText(outcome) })
    if (outcome.end !== 'skipped') running.record.call(outcome)
  }
  const unattended = outcomes.find((outcome) => outcome.end === 'unattended')
  if (unattended !== undefined) fail(running, deniedError(unattended.name))
  if (signal.aborted) return { kind: 'over', reason: 'cancelled' }
  return judgeRound(running, message, outcomes)
}

/** Reads run beside reads, sub-agents beside sub-agents. */
function laneOf(tool: InstalledTool | undefined): string | undefined {
  if (tool?.readOnly) return 'reads'
  return tool?.requires?.includes('subagents') ? 'sub-agents' : undefined
}

type Ran = CallOutcome | (Omit<CallOutcome, 'end'> & { readonly end: 'skipped' })

async function runCall({ deps, sink, signal }: Running, call: ToolCallRequest): Promise<Ran> {
  if (call.cut) {
    return unstarted(call, 'Your output limit cut this call before its arguments. Call again, with less.')
  }
  const { id, name } = call
  const outcome = await deps.dispatch(
    { id, name, arguments: readArguments(call.arguments) },
    {
      signal,
      onRequested: (requested) => sink.toolRequested(requested),
      onProgress: (text) => sink.toolProgress?.(id, text),
    },
  )
  const { plugin, ok, durationMs, meta, verb, summary } = outcome
  const output = shownText(outcome)
  sink.toolCompleted({ id, name, plugin, ok, output, durationMs, verb, summary, ...(meta ? { meta } : {}) })
  return outcome
}

function unstarted(call: ToolCallRequest, error: string): Ran {
  const { id, name } = call
  return {
    id,
    name,
    plugin: undefined,
    arguments: call.arguments,
    durationMs: 0,
    verb: 'calling',
    summary: name,
    ok: false,
    error,
    end: 'skipped',
  }
}

function deniedError(tool: string): TurnError {
  return {
    kind: 'denied',
    message: `A call of ${tool} needed approval and nobody was there to give it.`,
    hint: 'Run it in a terminal, or allow everything with --yes.',
  }
}

function judgeRound(running: Running, message: AssistantMessage, outcomes: readonly Ran[]): RoundEnd {
  const calls = message.toolCalls.map((call, index) => ({
    name: call.name,
    arguments: call.arguments,
    ok: outcomes[index]?.ok ?? false,
  }))
  const verdict = running.detect({ text: message.text, calls })
  if (verdict.kind === 'go') return { kind: 'next' }
  if (verdict.kind === 'steer') {
    running.deps.conversation.add({ role: 'user', text: verdict.message })
    running.sink.notice(verdict.message)
    return { kind: 'next' }
  }
  fail(running, {
    kind: 'limit',
    message: `The turn was stopped because the model runs in circles: ${verdict.reason}.`,
    hint: 'Say more precisely what is wanted, or try another model.',
  })
  return { kind: 'over', reason: 'circles' }
}
