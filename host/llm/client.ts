import type {
  ChatRequest,
  Completion,
  Dialect,
  DialectConfig,
  LlmError,
  StreamChunk,
} from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { ChatClient, ChatWatcher } from './chat-client.ts'
import { createKeyGuard } from './key-guard.ts'
import { protocolError } from './network-error.ts'
import { type Outcome, readError, withError } from './outcome.ts'
import { createPreparation } from './prepare.ts'
import { redact } from './redact.ts'
import { readReply } from './reply.ts'
import type { HttpResponse } from './response.ts'
import { type Attempt, RETRY_POLICY, type RetryPolicy, withRetries } from './retry.ts'
import { sealCompletion } from './tool-calls.ts'
import type { ToolNames } from './tool-names.ts'
import type { Transport } from './transport.ts'
import { originOf } from './url.ts'

/** What a client is built on. */
export interface ChatClientDeps {
  readonly transport: Transport
  /** Resolved once, here, and never asked for again (PRO-4). */
  readonly dialect: Dialect
  readonly clock: Clock
  /** From 0 to 1, for the jitter. */
  readonly random: () => number
}

/** Which model of which provider, and how. */
export interface ChatClientConfig extends DialectConfig {
  readonly provider: string
  /** In tokens, when it is known beforehand. */
  readonly contextWindow?: number
  /** The environment variable that the key came from or is looked for in, for hints. */
  readonly keyEnv?: string
  /** Send again even though text was shown (`--retry-partial`). */
  readonly retryPartial?: boolean
  readonly retry?: Partial<RetryPolicy>
}

/** A chat client that can be told what a model list said. */
export interface LearningChatClient extends ChatClient {
  /** In tokens; a smaller number that an error taught is kept. */
  learnContextWindow(tokens: number): void
}

/** Makes the client of one model. It opens nothing before the first request. */
export function createChatClient(deps: ChatClientDeps, config: ChatClientConfig): LearningChatClient {
  let learned: number | undefined
  const learn = (tokens: number | undefined) => {
    if (tokens !== undefined) learned = Math.min(tokens, learned ?? tokens)
  }
  const prepare = createPreparation({ flavor: deps.dialect.flavor, model: config.model })
  return {
    provider: config.provider,
    flavor: deps.dialect.flavor,
    model: config.model,
    contextWindow: () => learned ?? config.contextWindow,
    learnContextWindow: learn,
    async chat(request, watcher) {
      const { request: prepared, names } = prepare(request)
      const exchange = { deps, config, prepared, watcher, names, learn }
      const completion = await withRetries(() => guardedAttempt(exchange), {
        clock: deps.clock,
        random: deps.random,
        signal: watcher.signal,
        policy: { ...RETRY_POLICY, ...config.retry },
        retryPartial: config.retryPartial === true,
        onRetry: (notice) => watcher.onRetry(notice),
      })
      const named = inOwnTerms(completion, names, { flavor: deps.dialect.flavor, config })
      watcher.onChunk({ type: 'end', completion: named })
      return named
    },
  }
}

/** Everything that the attempts of one request share. */
interface ChatExchange {
  readonly deps: ChatClientDeps
  readonly config: ChatClientConfig
  readonly prepared: ChatRequest
  readonly watcher: ChatWatcher
  readonly names: ToolNames
  learn(tokens: number | undefined): void
}

/** A dialect may come from a plugin: one that throws, against its port, costs this request and nothing else. */
async function guardedAttempt(exchange: ChatExchange): Promise<Attempt> {
  try {
    return await attempt(exchange)
  } catch (thrown) {
    const { flavor } = exchange.deps.dialect
    return failed(
      protocolError(
        `The protocol "${flavor}" failed on this exchange: ${messageOf(thrown)}`,
        'Report it to the plugin that brings this protocol, or choose another provider with --provider.',
      ),
    )
  }
}

async function attempt(exchange: ChatExchange): Promise<Attempt> {
  const { deps, config, prepared, watcher } = exchange
  const answer = await deps.transport.send({
    method: 'POST',
    url: deps.dialect.chatUrl(config, prepared.stream),
    headers: {
      'content-type': 'application/json',
      accept: prepared.stream ? 'text/event-stream, application/json' : 'application/json',
      ...deps.dialect.authHeaders(config),
    },
    body: JSON.stringify(deps.dialect.buildChatBody(config, prepared)),
    signal: watcher.signal,
  })
  if (answer.kind === 'failed') return failed(answer.error)
  if (answer.response.status !== 200) return failed(await readError(answer.response, outcomeOf(exchange)))
  return readAnswer(answer.response, exchange)
}

async function readAnswer(response: HttpResponse, exchange: ChatExchange): Promise<Attempt> {
  const { deps, config, prepared, watcher, names } = exchange
  let textShown = false
  const guarded = createKeyGuard(config.apiKey).stream((chunk) => {
    if (chunk.type === 'text' && watcher.holdsText !== true) textShown = true
    watcher.onChunk(nameChunk(chunk, names))
  })
  const { completion, events } = await readReply(response, deps.dialect, {
    request: prepared,
    onChunk: (chunk) => guarded.take(chunk),
  })
  guarded.end()
  const sealed = sealCompletion(completion, prepared.messages)
  return { completion: withError(sealed, events, outcomeOf(exchange)), textShown }
}

/** Names the tool of a starting call as amber knows it. */
function nameChunk(chunk: StreamChunk, names: ToolNames): StreamChunk {
  return chunk.type === 'toolCallStarted' ? { ...chunk, name: names.fromWire(chunk.name) } : chunk
}

function outcomeOf({ deps, config, learn }: ChatExchange): Outcome {
  return {
    learn,
    context: {
      endpoint: {
        provider: config.provider,
        model: config.model,
        origin: originOf(config.apiBase),
        ...(config.keyEnv === undefined ? {} : { keyEnv: config.keyEnv }),
      },
      dialect: deps.dialect,
      secrets: [config.apiKey],
      now: deps.clock.now(),
    },
  }
}

function failed(error: LlmError): Attempt {
  return {
    completion: {
      message: { role: 'assistant', text: '', toolCalls: [] },
      finishReason: '',
      status: 'error',
      usage: undefined,
      error,
      dropped: 0,
    },
    textShown: false,
  }
}

/** The completion in amber's own terms: tools by their own names, who wrote it, and no key in an error (PRO-13). */
function inOwnTerms(
  completion: Completion,
  names: ToolNames,
  { flavor, config }: { readonly flavor: string; readonly config: ChatClientConfig },
): Completion {
  const { error } = completion
  const { model, apiKey } = config
  const message = createKeyGuard(apiKey).message(completion.message)
  const toolCalls = message.toolCalls.map((call) => ({ ...call, name: names.fromWire(call.name) }))
  return {
    ...completion,
    message: { ...message, toolCalls, origin: { flavor, model } },
    ...(error === undefined ? {} : { error: { ...error, message: redact(error.message, [apiKey]) } }),
  }
}
