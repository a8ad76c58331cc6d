import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { HostEvents, Message } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { EventBus } from '../base/event-bus.ts'
import type { ChatClient } from '../llm/chat-client.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import { type Approvals, createApprovals } from './approval.ts'
import { type Conversation, createConversation } from './conversation.ts'
import { createCircleDetector, type Detector } from './detector.ts'
import { dispatchTool, type ToolDispatchDeps } from './dispatch-tool.ts'
import { type LoopDeps, runLoop } from './loop.ts'
import { type PromptDeps, renderBlocks } from './prompt.ts'
import type { AgentMode, Approver, TurnError, TurnResult, TurnSink } from './turn.ts'
import { createTurnRecord, type TurnFacts } from './turn-record.ts'

/** Requests to the model in one turn, at most, unless said otherwise (interfaces 2). */
export const MAX_REQUESTS = 100

/** What an agent is made from. */
export interface AgentDeps {
  readonly client: ChatClient
  /** The live pointer (SWAP-3). */
  readonly snapshot: () => Snapshot
  readonly bus: EventBus
  readonly clock: Clock
  readonly prompt: PromptDeps
  readonly pluginErrors: () => readonly Diagnostic[]
  /** Hears of a call that ignored its cancellation (TOOL-7). */
  readonly onAbandoned?: (tool: string, plugin: string) => void
  /** Hears of every message in order: where a session's log hangs on. Must not throw. */
  readonly onMessage?: (message: Message) => void
  /** The id of the session that is written, or null. */
  readonly session?: () => string | null
}

/** How this agent behaves. */
export interface AgentSettings {
  readonly mode: AgentMode
  readonly approver?: Approver
  /** How long a question waits before it counts as no; 60 s unless said, 0 waits for ever. */
  readonly approvalTimeoutMs?: number
  readonly maxRequests?: number
  /** The conversation to go on with. */
  readonly initial?: readonly Message[]
  /** A circle detector for each turn; `undefined` answers turn detection off. */
  readonly createDetector?: () => Detector
}

/** An agent with its conversation: what host/app/app.ts calls `Agent`, and what the host itself may do with it. */
export interface Conversing {
  readonly provider: string
  readonly model: string
  session(): string | null
  mode(): AgentMode
  setMode(mode: AgentMode): void
  reset(): void
  messages(): readonly Message[]
  turn(
    prompt: string,
    options: { readonly signal: AbortSignal; readonly sink: TurnSink },
  ): Promise<TurnResult>
}

/** Makes an agent around one client. */
export function createAgent(deps: AgentDeps, settings: AgentSettings): Conversing {
  const { client, bus, clock } = deps
  const conversation = createConversation({
    bus,
    ...(settings.initial ? { initial: settings.initial } : {}),
    ...(deps.onMessage ? { onMessage: deps.onMessage } : {}),
  })
  const approvals = createApprovals({
    clock,
    ...(settings.approver ? { approver: settings.approver } : {}),
    ...(settings.approvalTimeoutMs === undefined ? {} : { timeoutMs: settings.approvalTimeoutMs }),
  })
  let mode = settings.mode
  let turns = 0
  let queue: Promise<unknown> = Promise.resolve()

  const loopDeps = (sink: TurnSink) =>
    createLoopDeps({ deps, settings, conversation, approvals, mode: () => mode }, sink)

  const run = async (prompt: string, watch: TurnWatch): Promise<TurnResult> => {
    const turn = `turn-${++turns}`
    const started = clock.monotonic()
    const facts = await guarded(() => begin({ turn, prompt, watch }), watch.sink)
    if (bus.has('turn.ended')) bus.publish('turn.ended', ended(turn, facts, clock.monotonic() - started))
    return {
      ...facts,
      session: deps.session?.() ?? null,
      provider: client.provider,
      model: client.model,
      pluginErrors: deps.pluginErrors(),
    }
  }

  const begin = async ({ turn, prompt, watch }: Begin): Promise<TurnFacts> => {
    let text = prompt
    if (bus.has('turn.started')) {
      const gate = await bus.intercept('turn.started', { turn, prompt })
      if (gate.vetoed) return stopped('vetoed', vetoError(gate.owner, gate.reason), watch.sink)
      text = gate.event.prompt
    }
    conversation.add({ role: 'user', text })
    return runLoop(loopDeps(watch.sink), watch)
  }

  return {
    provider: client.provider,
    model: client.model,
    session: () => deps.session?.() ?? null,
    mode: () => mode,
    setMode(next) {
      mode = next
    },
    reset() {
      conversation.clear()
      approvals.reset()
    },
    messages: conversation.messages,
    turn(prompt, watch) {
      const result = queue.then(() => run(prompt, watch))
      queue = result.catch(() => undefined)
      return result
    },
  }
}

/** What an agent's turns share. */
interface Shared {
  readonly deps: AgentDeps
  readonly settings: AgentSettings
  readonly conversation: Conversation
  readonly approvals: Approvals
  readonly mode: () => AgentMode
}

function createLoopDeps({ deps, settings, conversation, approvals, mode }: Shared, sink: TurnSink): LoopDeps {
  const { client, bus, clock, snapshot } = deps
  const dispatch: ToolDispatchDeps = {
    snapshot,
    bus,
    clock,
    approvals,
    mode,
    onAbandoned(tool, plugin) {
      sink.notice(`Tool ${tool} of plugin ${plugin} ignored its cancellation and was left to itself.`)
      deps.onAbandoned?.(tool, plugin)
    },
  }
  return {
    client,
    conversation,
    bus,
    clock,
    snapshot,
    mode,
    blocks: (shown) => renderBlocks(deps.prompt, shown),
    dispatch: (request, watcher) => dispatchTool(dispatch, request, watcher),
    maxRequests: settings.maxRequests ?? MAX_REQUESTS,
    createDetector: settings.createDetector ?? createCircleDetector,
  }
}

interface TurnWatch {
  readonly signal: AbortSignal
  readonly sink: TurnSink
}

interface Begin {
  readonly turn: string
  readonly prompt: string
  readonly watch: TurnWatch
}

function stopped(reason: string, error: TurnError, sink: TurnSink): TurnFacts {
  const record = createTurnRecord()
  record.error(error)
  sink.error(error)
  return record.facts(reason)
}

function vetoError(owner: string, reason: string): TurnError {
  return {
    kind: 'plugin',
    message: `Plugin ${owner} stopped the turn: ${reason}.`,
    hint: `Ask differently, or switch the plugin off: amber plugin off ${owner}`,
  }
}

/** A turn never rejects: what nobody foresaw is an error of the turn. */
async function guarded(run: () => Promise<TurnFacts>, sink: TurnSink): Promise<TurnFacts> {
  try {
    return await run()
  } catch (thrown) {
    const error: TurnError = {
      kind: 'failed',
      message: `The turn failed inside amber: ${messageOf(thrown)}`,
      hint: 'This is a fault of amber; AMBER_DEBUG=1 shows more.',
    }
    return stopped('error', error, sink)
  }
}

function ended(turn: string, facts: TurnFacts, durationMs: number): HostEvents['turn.ended'] {
  return { turn, reason: facts.finishReason, durationMs, toolCalls: facts.toolCalls.length }
}
