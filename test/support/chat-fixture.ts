import { type Clock, systemClock } from '../../host/base/clock.ts'
import type { ChatWatcher, RetryNotice } from '../../host/llm/chat-client.ts'
import { type ChatClientConfig, createChatClient, type LearningChatClient } from '../../host/llm/client.ts'
import { openAiDialect } from '../../host/llm/openai/dialect.ts'
import { createTransport, type Transport } from '../../host/llm/transport.ts'
import type { ChatRequest, Message, StreamChunk, ToolDefinition } from '../../sdk/index.ts'

/** A real client on a real transport, against a test's server. */
export interface ChatFixture {
  readonly client: LearningChatClient
  readonly transport: Transport
}

/** Makes one; waits between attempts are none unless `config.retry` says otherwise. */
export function createChatFixture(
  origin: string,
  config: Partial<ChatClientConfig> = {},
  options: {
    readonly clock?: Clock
    readonly deadlines?: { readonly firstByteMs?: number; readonly stallMs?: number }
  } = {},
): ChatFixture {
  const clock = options.clock ?? systemClock
  const transport = createTransport({
    clock: systemClock,
    env: {},
    ...(options.deadlines === undefined ? {} : { deadlines: options.deadlines }),
  })
  const client = createChatClient(
    { transport, dialect: openAiDialect, clock, random: () => 0 },
    { provider: 'acme', model: 'acme-1', apiBase: `${origin}/v1`, apiKey: '', ...config },
  )
  return { client, transport }
}

/** A watcher that keeps what it saw. */
export interface Watching extends ChatWatcher {
  readonly chunks: readonly StreamChunk[]
  readonly retries: readonly RetryNotice[]
  text(): string
}

/** Makes a watcher; `onText` hears of each piece of text. */
export function watch(
  options: { readonly signal?: AbortSignal; readonly holdsText?: boolean; onText?(text: string): void } = {},
): Watching {
  const chunks: StreamChunk[] = []
  const retries: RetryNotice[] = []
  return {
    signal: options.signal ?? new AbortController().signal,
    holdsText: options.holdsText ?? false,
    chunks,
    retries,
    onChunk(chunk) {
      chunks.push(chunk)
      if (chunk.type === 'text') options.onText?.(chunk.delta)
    },
    onRetry: (notice) => retries.push(notice),
    text: () => chunks.map((chunk) => (chunk.type === 'text' ? chunk.delta : '')).join(''),
  }
}

/** A streaming request that says one thing. */
export function ask(
  text: string,
  more: { readonly messages?: readonly Message[]; readonly tools?: readonly ToolDefinition[] } = {},
): ChatRequest {
  return {
    messages: [...(more.messages ?? []), { role: 'user', text }],
    tools: more.tools ?? [],
    stream: true,
  }
}
