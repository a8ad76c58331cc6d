import type { Completion, LlmError, ToolDefinition } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { EventBus } from '../base/event-bus.ts'
import { fromSystem } from '../base/system-error.ts'
import type { ChatClient, RetryNotice } from '../llm/chat-client.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import type { Conversation } from './conversation.ts'
import { countDown } from './countdown.ts'
import { arrange, type RenderedBlock } from './prompt.ts'
import type { AgentMode, TurnSink } from './turn.ts'

/** What one request to the model is made from. */
export interface AskDeps {
  readonly client: ChatClient
  readonly snapshot: () => Snapshot
  readonly blocks: (snapshot: Snapshot) => Promise<readonly RenderedBlock[]>
  /** The tools offered with a request. */
  readonly tools: (snapshot: Snapshot, mode: AgentMode) => readonly ToolDefinition[]
  readonly conversation: Conversation
  readonly mode: () => AgentMode
  readonly bus: EventBus
  readonly clock: Clock
}

/**
 * Makes one request: prompt and tools come from ONE snapshot, so that a plugin's text and schema come and go together
 * (PRM-4). Never rejects.
 */
export async function askModel(
  deps: AskDeps,
  watch: { readonly signal: AbortSignal; readonly sink: TurnSink },
): Promise<Completion> {
  const { client, clock, bus } = deps
  const started = clock.monotonic()
  const completion = await send(deps, watch).catch((thrown: unknown) => {
    const known = fromSystem(thrown)
    return broken(client, {
      kind: 'protocol',
      retryable: false,
      message: `The request could not be made: ${messageOf(known ?? thrown)}`,
      hint: known?.hint ?? 'This is a fault of amber or of a plugin; AMBER_DEBUG=1 shows more.',
    })
  })
  const response = {
    inputTokens: completion.usage?.inputTokens,
    outputTokens: completion.usage?.outputTokens,
    durationMs: clock.monotonic() - started,
  }
  watch.sink.responded?.(response)
  if (bus.has('llm.response')) {
    const { provider, model } = client
    bus.publish('llm.response', { provider, model, finishReason: completion.finishReason, ...response })
  }
  return completion
}

async function send(
  deps: AskDeps,
  { signal, sink }: { readonly signal: AbortSignal; readonly sink: TurnSink },
): Promise<Completion> {
  const snapshot = deps.snapshot()
  const blocks = await deps.blocks(snapshot)
  return deps.client.chat(
    {
      messages: arrange(blocks, deps.conversation.sent()),
      tools: deps.tools(snapshot, deps.mode()),
      stream: true,
    },
    {
      signal,
      holdsText: sink.holdsText === true,
      onChunk(chunk) {
        if (chunk.type === 'text') sink.text(chunk.delta)
        else if (chunk.type === 'reasoning') sink.reasoning(chunk.delta)
      },
      onRetry(notice) {
        sink.notice(retryText(notice))
        const { waitMs } = notice
        countDown(deps.clock, { waitMs, signal }, (secondsLeft) => sink.waiting?.(secondsLeft))
      },
    },
  )
}

function retryText({ attempt, attempts, waitMs, error, partial }: RetryNotice): string {
  const seconds = Math.round(waitMs / 100) / 10
  const again = partial
    ? ' What was shown of the answer breaks off here; it is told again from its start.'
    : ''
  return `${error.message} Attempt ${attempt} of ${attempts} failed; trying again in ${seconds} s.${again}`
}

function broken(client: ChatClient, error: LlmError): Completion {
  return {
    message: {
      role: 'assistant',
      text: '',
      toolCalls: [],
      origin: { flavor: client.flavor, model: client.model },
    },
    finishReason: '',
    status: 'error',
    usage: undefined,
    error,
    dropped: 0,
  }
}
