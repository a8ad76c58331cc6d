import type { HostEvents, Message, UserMessage } from '../../sdk/index.ts'
import { messageOf } from '../base/errors.ts'
import { fromSystem } from '../base/system-error.ts'
import type { AgentDeps, AgentSettings } from './agent-deps.ts'
import { type Approvals, createApprovals } from './approval.ts'
import { COMPRESSION, type CompressionResult, createCompressor } from './compression.ts'
import { type Conversation, type ConversationState, createConversation } from './conversation.ts'
import { runLoop } from './loop.ts'
import { createLoopDeps, type Shared } from './loop-deps.ts'
import { createSpawn } from './spawn.ts'
import { startTimeBudget } from './time-budget.ts'
import type { AgentMode, TurnError, TurnResult, TurnSink } from './turn.ts'
import { createTurnRecord, type TurnFacts, type TurnRecord } from './turn-record.ts'

export type { AgentDeps, AgentSettings } from './agent-deps.ts'

/** An agent with its conversation: what host/app/app.ts calls `Agent`, and what the host itself may do with it. */
export interface Conversing {
  readonly provider: string
  readonly model: string
  session(): string | null
  mode(): AgentMode
  setMode(mode: AgentMode): void
  /** Forgets the conversation and the approvals of this session. */
  reset(): void
  /** Goes on with another conversation; call it between turns. */
  adopt(state: ConversationState): void
  /** The newest turn: what was said in it, the user's words first. */
  lastTurn(): LastTurn | undefined
  /** Takes the newest turn back, from the user's words on; how many messages that was. Call it between turns. */
  rewind(): number
  /** Runs work after the turns that wait, and before those that come. */
  between<Value>(work: () => Promise<Value>): Promise<Value>
  /** Everything that was said. */
  messages(): ConversationState['messages']
  /** Sums the older part up now, after the turn that is running. Never rejects. */
  compress(signal: AbortSignal): Promise<CompressionResult>
  turn(
    prompt: string,
    options: {
      readonly signal: AbortSignal
      readonly sink: TurnSink
      readonly images?: UserMessage['images']
      /** What the turn is known by in its session, and what it wrote in the workspace. */
      readonly id?: string
    },
  ): Promise<TurnResult>
}

/** The newest turn of a conversation. */
export interface LastTurn {
  /** Undefined for a turn of a time when they had no ids. */
  readonly id: string | undefined
  readonly prompt: string
  readonly messages: number
  /** The tools whose calls went well, each once. */
  readonly tools: readonly string[]
}

/** A turn of these messages, the user's first. */
export function turnOf(id: string | undefined, messages: readonly Message[]): LastTurn {
  const called = messages.flatMap((one) => (one.role === 'tool' && one.ok ? one.name : []))
  return { id, prompt: messages[0]?.text ?? '', messages: messages.length, tools: [...new Set(called)] }
}

/** Makes an agent around one client. */
export function createAgent(deps: AgentDeps, settings: AgentSettings): Conversing {
  const { client, bus, clock } = deps
  const shared = createShared(deps, settings, () => mode)
  const { conversation, approvals } = shared
  let mode = settings.mode
  let turns = 0
  let queue: Promise<unknown> = Promise.resolve()

  const run = async (prompt: Prompt, watch: TurnWatch): Promise<TurnResult> => {
    const turn = `turn-${++turns}`
    const started = clock.monotonic()
    const budget = startTimeBudget(clock, settings.maxTurnMs, watch.signal)
    const record = createTurnRecord()
    const begun: Begin = { turn, prompt, watch: { ...watch, signal: budget.signal, record } }
    const facts = await guarded(() => begin(begun), { record, sink: watch.sink })
    budget.dispose()
    const ended = budget.isSpent() ? outOfTime(settings.maxTurnMs ?? 0, { record, sink: watch.sink }) : facts
    if (bus.has('turn.ended')) bus.publish('turn.ended', endedEvent(turn, ended, clock.monotonic() - started))
    return {
      ...ended,
      session: deps.session?.() ?? null,
      provider: client.provider,
      model: client.model,
      pluginErrors: deps.pluginErrors(),
    }
  }

  const begin = async ({ turn, prompt, watch }: Begin): Promise<TurnFacts> => {
    let { text } = prompt
    if (bus.has('turn.started')) {
      const gate = await bus.intercept('turn.started', { turn, prompt: text })
      if (gate.vetoed) return stopped('vetoed', vetoError(gate.owner, gate.reason), watch)
      text = gate.event.prompt
    }
    const { images, id } = prompt
    conversation.add({ role: 'user', text, ...(images?.length ? { images } : {}) }, id ?? turn)
    const leave = deps.subagents?.enter({
      conversation: shared.id(),
      spawn: createSpawn(shared, watch),
    })
    try {
      return await runLoop(createLoopDeps(shared, watch.sink), watch)
    } finally {
      leave?.()
    }
  }

  const enqueue = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
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
      conversation.replace({ messages: [] })
      shared.compressor.reset()
      approvals.reset()
    },
    adopt(state) {
      conversation.replace(state)
      shared.compressor.reset()
      approvals.reset()
    },
    lastTurn: () => lastTurnOf(conversation),
    rewind() {
      shared.compressor.reset()
      return conversation.rewind()
    },
    between: enqueue,
    messages: conversation.messages,
    compress: (signal) => enqueue(() => shared.compressor.compress({ signal })),
    turn(text, { images, id, ...watch }) {
      const prompt = {
        text,
        ...(images === undefined ? {} : { images }),
        ...(id === undefined ? {} : { id }),
      }
      return enqueue(() => run(prompt, watch))
    },
  }
}

function lastTurnOf(conversation: Conversation): LastTurn | undefined {
  const turn = conversation.lastTurn()
  if (turn === undefined) return undefined
  return turnOf(turn.id, conversation.messages().slice(turn.from))
}

function createShared(deps: AgentDeps, settings: AgentSettings, mode: () => AgentMode): Shared {
  const conversation = createConversation({
    bus: deps.bus,
    ...(settings.initial ? { initial: settings.initial } : {}),
    ...(deps.journal ? { journal: deps.journal } : {}),
  })
  const approvals: Approvals = createApprovals({
    clock: deps.clock,
    ...(settings.approver ? { approver: settings.approver } : {}),
    ...(deps.rules ? { rules: deps.rules } : {}),
    ...(settings.approvalTimeoutMs === undefined ? {} : { timeoutMs: settings.approvalTimeoutMs }),
  })
  const compressor = createCompressor({
    client: deps.client,
    conversation,
    bus: deps.bus,
    settings: { ...COMPRESSION, ...settings.compression },
    ...(deps.keepsake ? { keepsake: deps.keepsake } : {}),
  })
  const id = deps.conversation ?? (() => 'conversation')
  const asker = () => ({ turn: conversation.messages().filter(({ role }) => role === 'user').length })
  return { deps, settings, conversation, approvals, compressor, mode, id, asker }
}

interface Prompt {
  readonly text: string
  readonly id?: string
  readonly images?: UserMessage['images']
}

interface TurnWatch {
  readonly signal: AbortSignal
  readonly sink: TurnSink
}

interface Recording {
  readonly record: TurnRecord
  readonly sink: TurnSink
}

interface Begin {
  readonly turn: string
  readonly prompt: Prompt
  readonly watch: TurnWatch & Recording
}

function stopped(reason: string, error: TurnError, { record, sink }: Recording): TurnFacts {
  record.error(error)
  sink.error(error)
  return record.facts(reason)
}

function outOfTime(ms: number, recording: Recording): TurnFacts {
  const error: TurnError = {
    kind: 'limit',
    message: `The turn used up its ${ms / 1000} s.`,
    hint: 'Ask it to go on, or give it more time.',
  }
  return stopped('timeout', error, recording)
}

function vetoError(owner: string, reason: string): TurnError {
  return {
    kind: 'plugin',
    message: `Plugin ${owner} stopped the turn: ${reason}.`,
    hint: `Ask differently, or switch the plugin off: amber plugin off ${owner}`,
  }
}

/** A turn never rejects: what nobody foresaw is an error of the turn. */
async function guarded(run: () => Promise<TurnFacts>, recording: Recording): Promise<TurnFacts> {
  try {
    return await run()
  } catch (thrown) {
    const known = fromSystem(thrown)
    const error: TurnError = {
      kind: 'failed',
      message: `The turn failed inside amber: ${messageOf(known ?? thrown)}`,
      hint: known?.hint ?? 'This is a fault of amber; AMBER_DEBUG=1 shows more.',
    }
    return stopped('error', error, recording)
  }
}

function endedEvent(turn: string, facts: TurnFacts, durationMs: number): HostEvents['turn.ended'] {
  return { turn, reason: facts.finishReason, durationMs, toolCalls: facts.toolCalls.length }
}
