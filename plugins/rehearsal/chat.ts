import { createHash } from 'node:crypto'
import { type Planned, planReply } from './planner/plan.ts'
import { readRequest } from './request.ts'

/** An answer in the protocol's shape, whole; the stream is made of it. */
export interface Answer {
  readonly kind: 'answer'
  readonly stream: boolean
  readonly completion: Completion
}

/** A chat completion of the OpenAI protocol. */
export interface Completion {
  readonly id: string
  readonly object: 'chat.completion'
  readonly created: number
  readonly model: string
  readonly choices: readonly [
    {
      readonly index: 0
      readonly message: {
        readonly role: 'assistant'
        readonly content: string | null
        readonly tool_calls?: readonly WireCall[]
      }
      readonly finish_reason: 'stop' | 'tool_calls'
    },
  ]
  readonly usage: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
    readonly total_tokens: number
  }
}

/** A tool call of the protocol. */
export interface WireCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** Answers a request's body; the same body always gets the same answer. */
export function answerChat(body: string): Answer | { readonly kind: 'refused'; readonly message: string } {
  const request = readRequest(body)
  if (request === undefined) return { kind: 'refused', message: 'The body is no chat completion request.' }
  const planned = planReply(request)
  const mark = createHash('sha256').update(body).digest('hex').slice(0, 12)
  const message = writeMessage(planned, mark)
  const input = tokens(request.characters)
  const output = tokens(JSON.stringify(message).length)
  return {
    kind: 'answer',
    stream: request.stream,
    completion: {
      id: `rehearsal-${mark}`,
      object: 'chat.completion',
      created: 0,
      model: request.model,
      choices: [{ index: 0, message, finish_reason: planned.kind === 'calls' ? 'tool_calls' : 'stop' }],
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    },
  }
}

function writeMessage(planned: Planned, mark: string): Completion['choices'][0]['message'] {
  if (planned.kind === 'text') return { role: 'assistant', content: planned.text }
  const calls = planned.calls.map(
    (call, at): WireCall => ({
      id: `call_${mark}_${at}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    }),
  )
  return { role: 'assistant', content: null, tool_calls: calls }
}

/** About four characters a token, which is what English text comes to. */
function tokens(characters: number): number {
  return Math.ceil(characters / 4)
}
