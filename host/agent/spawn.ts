import type { SubagentService } from '../../sdk/index.ts'
import { createChildSnapshots } from './child-snapshot.ts'
import { COMPRESSION, createCompressor } from './compression.ts'
import { createConversation } from './conversation.ts'
import { laneSink } from './lane.ts'
import { type LoopWatch, runLoop } from './loop.ts'
import { createLoopDeps, type Shared } from './loop-deps.ts'
import type { ParentTurn } from './subagents.ts'
import type { TurnSink } from './turn.ts'
import { createTurnRecord, type TurnFacts } from './turn-record.ts'

/** Requests to the model that a sub-agent may make unless said (bundled-plugins 3). */
export const SUBAGENT_REQUESTS = 20

type Answer = Awaited<ReturnType<SubagentService['run']>>

/**
 * Makes what starts the sub-agents of one turn: a context of their own, the parent's tools without those that start
 * sub-agents, its mode, approvals and cancellation. What they use counts as the turn's.
 */
export function createSpawn(parent: Shared, turn: LoopWatch): ParentTurn['spawn'] {
  return async ({ prompt, call }, { signal, progress }) => {
    const sink = telling(laneSink(turn.sink, { id: call, title: titleOf(prompt) }), progress)
    const { deps, settings } = parent
    const conversation = createConversation({ initial: { messages: [{ role: 'user', text: prompt }] } })
    const child: Shared = {
      ...parent,
      conversation,
      id: () => `${parent.id()}/${call}`,
      asker: () => ({ ...parent.asker(), subagent: titleOf(prompt) }),
      deps: { ...deps, snapshot: createChildSnapshots(deps.snapshot) },
      settings: { ...settings, maxRequests: settings.subagentRequests ?? SUBAGENT_REQUESTS },
      compressor: createCompressor({
        client: deps.client,
        conversation,
        bus: deps.bus,
        settings: { ...COMPRESSION, ...settings.compression },
      }),
    }
    const record = createTurnRecord()
    const both = AbortSignal.any([signal, turn.signal])
    const facts = await runLoop(createLoopDeps(child, sink), { signal: both, sink, record })
    turn.record.used(facts.usage)
    // A call denied for want of an approver is the run's to answer for (interfaces 2, exit code 4).
    for (const error of facts.errors) if (error.kind === 'denied') turn.record.error(error)
    return answerOf(facts)
  }
}

function answerOf(facts: TurnFacts): Answer {
  const [error] = facts.errors.filter((one) => one.kind !== 'denied')
  const text = facts.text.trim()
  if (facts.finishReason === 'cancelled') return { ok: false, error: 'The sub-agent was cancelled.' }
  if (error !== undefined) {
    return { ok: false, error: `The sub-agent stopped: ${error.message}`, ...(text === '' ? {} : { text }) }
  }
  if (text === '') return { ok: false, error: 'The sub-agent ended without a word.' }
  return { ok: true, text, calls: facts.toolCalls.length }
}

/** Shows the newest call beside the running `task` as well. */
function telling(sink: TurnSink, progress: (text: string) => void): TurnSink {
  return {
    ...sink,
    toolRequested(call) {
      progress(`${call.verb} ${call.summary}`)
      sink.toolRequested(call)
    },
  }
}

function titleOf(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? ''
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
