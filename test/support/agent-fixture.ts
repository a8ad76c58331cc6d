import { type AgentDeps, type AgentSettings, type Conversing, createAgent } from '../../host/agent/agent.ts'
import type { CoreBlock } from '../../host/agent/prompt.ts'
import type { Clock } from '../../host/base/clock.ts'
import { createEventBus, type EventBus, type HandlerFault } from '../../host/base/event-bus.ts'
import type { PluginFault } from '../../host/base/outcome.ts'
import type { Snapshot } from '../../host/registry/snapshot.ts'
import { handMadeSnapshot } from './hand-made.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'
import { createRecordingSink, type RecordingSink } from './recording-sink.ts'
import { createScriptedClient, type ScriptedClient, type Step } from './scripted-client.ts'

/** An agent on a scripted client, with everything that a test may want to look at. */
export interface AgentFixture {
  readonly agent: Conversing
  readonly client: ScriptedClient
  readonly bus: EventBus
  readonly clock: ManualClock
  readonly sink: RecordingSink
  readonly faults: readonly (HandlerFault | PluginFault)[]
  readonly abandoned: readonly string[]
  /** Moves the live pointer. */
  setSnapshot(next: Snapshot): void
  turn(prompt?: string, signal?: AbortSignal): ReturnType<Conversing['turn']>
}

/** Makes one. */
export function createAgentFixture(options: {
  readonly steps: readonly Step[]
  readonly snapshot?: Partial<Snapshot>
  readonly settings?: Partial<AgentSettings>
  readonly coreBlocks?: readonly CoreBlock[]
  readonly clock?: Clock
  /** The model's context window, in tokens; unknown unless given. */
  readonly window?: number
  /** Laid over what the agent is made from. */
  readonly deps?: Partial<AgentDeps>
}): AgentFixture {
  const clock = createManualClock()
  const faults: (HandlerFault | PluginFault)[] = []
  const abandoned: string[] = []
  const bus = createEventBus({ clock, onFault: (fault) => faults.push(fault) })
  const client = createScriptedClient(
    options.steps,
    options.window === undefined ? {} : { window: options.window },
  )
  const sink = createRecordingSink()
  let snapshot = handMadeSnapshot(options.snapshot)
  const agent = createAgent(
    {
      client,
      bus,
      clock: options.clock ?? clock,
      snapshot: () => snapshot,
      prompt: {
        base: 'You are amber.',
        coreBlocks: options.coreBlocks ?? [],
        onFault: (fault) => faults.push(fault),
      },
      pluginErrors: () => [],
      onAbandoned: (tool, plugin) => abandoned.push(`${plugin}.${tool}`),
      ...options.deps,
    },
    { mode: 'write', ...options.settings },
  )
  return {
    agent,
    client,
    bus,
    clock,
    sink,
    faults,
    abandoned,
    setSnapshot(next) {
      snapshot = next
    },
    turn: (prompt = 'go', signal = new AbortController().signal) => agent.turn(prompt, { signal, sink }),
  }
}

/** The text of the newest tool result that a request carried. */
export function lastToolText(fixture: AgentFixture): string {
  const message = fixture.agent.messages().findLast((one) => one.role === 'tool')
  return message?.role === 'tool' ? message.text : ''
}
