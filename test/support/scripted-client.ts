import type { ChatClient, ChatWatcher } from '../../host/llm/chat-client.ts'
import type { ChatRequest, Completion, ToolCallRequest } from '../../sdk/index.ts'

/** What a scripted reply says; everything else of its completion is made up for it. */
export interface Reply {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly (readonly [name: string, args: unknown] | ToolCallRequest)[]
  readonly finishReason?: string
  readonly status?: Completion['status']
  readonly error?: Completion['error']
  readonly usage?: Completion['usage']
  readonly refusal?: string
  readonly cutCalls?: Completion['cutCalls']
}

/** One reply, or what makes it from the request. */
export type Step =
  | Reply
  | ((request: ChatRequest, watcher: ChatWatcher) => Reply | Completion | Promise<Reply | Completion>)

/** A chat client that answers from a script and keeps what it was asked. */
export interface ScriptedClient extends ChatClient {
  readonly requests: readonly ChatRequest[]
}

/** Makes a client; when the script is used up the last step is repeated. Text is streamed word by word. */
export function createScriptedClient(
  steps: readonly Step[],
  named: { readonly provider?: string; readonly model?: string; readonly window?: number } = {},
): ScriptedClient {
  const requests: ChatRequest[] = []
  return {
    provider: named.provider ?? 'scripted',
    flavor: 'openai',
    model: named.model ?? 'script-1',
    requests,
    contextWindow: () => named.window,
    async chat(request, watcher) {
      const step = steps[Math.min(requests.length, steps.length - 1)]
      requests.push(request)
      const made = typeof step === 'function' ? await step(request, watcher) : (step ?? {})
      const completion = 'message' in made ? made : completionOf(made, requests.length)
      if (completion.message.reasoning) {
        watcher.onChunk({ type: 'reasoning', delta: completion.message.reasoning })
      }
      for (const delta of completion.message.text.split(/(?<= )/)) {
        if (delta !== '') watcher.onChunk({ type: 'text', delta })
      }
      watcher.onChunk({ type: 'end', completion })
      return completion
    },
  }
}

/** Makes a whole completion of a reply. */
export function completionOf(reply: Reply, turn = 1): Completion {
  const toolCalls = (reply.calls ?? []).map((call, index): ToolCallRequest => {
    if ('id' in call) return call
    const [name, args] = call
    return {
      id: `call_${turn}_${index + 1}`,
      name,
      arguments: typeof args === 'string' ? args : JSON.stringify(args),
    }
  })
  return {
    message: {
      role: 'assistant',
      text: reply.text ?? '',
      toolCalls,
      ...(reply.reasoning === undefined ? {} : { reasoning: reply.reasoning }),
    },
    finishReason: reply.finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    status: reply.status ?? 'complete',
    usage: reply.usage ?? {
      inputTokens: 10,
      outputTokens: 5,
      wire: { promptTokens: 10, completionTokens: 5 },
    },
    dropped: 0,
    ...(reply.error === undefined ? {} : { error: reply.error }),
    ...(reply.refusal === undefined ? {} : { refusal: reply.refusal }),
    ...(reply.cutCalls === undefined ? {} : { cutCalls: reply.cutCalls }),
  }
}
