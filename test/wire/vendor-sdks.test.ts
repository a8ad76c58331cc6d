import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import fc from 'fast-check'
import OpenAI from 'openai'
import { systemClock } from '../../host/base/clock.ts'
import { createChatClient } from '../../host/llm/client.ts'
import { openAiDialect } from '../../host/llm/openai/dialect.ts'
import { createTransport } from '../../host/llm/transport.ts'
import { anthropicDialect } from '../../plugins/anthropic/dialect.ts'
import { geminiDialect } from '../../plugins/gemini/dialect.ts'
import type { Completion, Dialect } from '../../sdk/index.ts'
import { ask, watch } from '../support/chat-fixture.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import {
  anthropicStream,
  geminiStream,
  openAiStream,
  type SpokenReply,
  spokenReply,
} from '../support/spoken-replies.ts'

/** What the server answers to whoever asks next, amber or a vendor's own SDK. */
let body = Buffer.alloc(0)
let bytes = 1
let server: ModelServer
const transport = createTransport({ clock: systemClock, env: {} })

before(async () => {
  server = await startModelServer((response) => send(response))
})
after(async () => {
  await transport.close()
  await server.close()
})

function send(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let at = 0; at < body.length; at += bytes) response.write(body.subarray(at, at + bytes))
  response.end()
}

function answerWith(stream: string, reply: SpokenReply): void {
  body = Buffer.from(stream)
  // Thousands of writes tell no more than hundreds.
  bytes = Math.max(reply.bytes, Math.ceil(body.length / 200))
}

/** What amber makes of the answer, through its own transport. */
async function amberReads(dialect: Dialect): Promise<Completion> {
  const client = createChatClient(
    { transport, dialect, clock: systemClock, random: () => 0 },
    { provider: 'vendor', model: 'm-1', apiBase: server.origin, apiKey: 'k' },
  )
  const completion = await client.chat(ask('go'), watch())
  assert.equal(completion.status, 'complete')
  assert.equal(completion.dropped, 0)
  return completion
}

/** The same facts of a reply, whoever read them. */
interface Read {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[]
  readonly finish: string
  readonly input: number | undefined
  readonly output: number | undefined
  readonly cached: number | undefined
}

function factsOf({ message, finishReason, usage }: Completion): Read {
  return {
    text: message.text,
    reasoning: message.reasoning ?? '',
    calls: message.toolCalls.map(({ id, name, arguments: args }) => ({
      id,
      name,
      args: JSON.parse(args || '{}'),
    })),
    finish: finishReason,
    input: usage?.inputTokens,
    output: usage?.outputTokens,
    cached: usage?.cachedTokens,
  }
}

async function agree(
  write: (reply: SpokenReply) => string,
  dialect: Dialect,
  vendorReads: () => Promise<Read>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(spokenReply, async (reply) => {
      answerWith(write(reply), reply)
      const theirs = await vendorReads()
      assert.deepEqual(factsOf(await amberReads(dialect)), theirs)
    }),
    { numRuns: 40, endOnFailure: true },
  )
}

test('PRO-11 what amber reads of any OpenAI stream is what OpenAI’s own SDK reads', async () => {
  const client = new OpenAI({ baseURL: server.origin, apiKey: 'k', maxRetries: 0 })
  await agree(openAiStream, openAiDialect, async () => {
    const stream = client.chat.completions.stream({
      model: 'm-1',
      messages: [{ role: 'user', content: 'go' }],
    })
    const { choices, usage } = await stream.finalChatCompletion()
    const [choice] = choices
    assert.ok(choice)
    return {
      text: choice.message.content ?? '',
      reasoning: '',
      calls: (choice.message.tool_calls ?? []).map((call) => {
        assert.equal(call.type, 'function')
        return { id: call.id, name: call.function.name, args: JSON.parse(call.function.arguments || '{}') }
      }),
      finish: choice.finish_reason,
      input: usage?.prompt_tokens,
      output: usage?.completion_tokens,
      cached: usage?.prompt_tokens_details?.cached_tokens,
    }
  })
})

test('PRO-11 what amber reads of any Anthropic stream is what Anthropic’s own SDK reads', async () => {
  const client = new Anthropic({ baseURL: server.origin, apiKey: 'k', maxRetries: 0 })
  await agree(anthropicStream, anthropicDialect, async () => {
    const stream = client.messages.stream({
      model: 'm-1',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'go' }],
    })
    const { content, stop_reason, usage } = await stream.finalMessage()
    const joined = (texts: readonly string[]) => texts.join('')
    return {
      text: joined(content.map((block) => (block.type === 'text' ? block.text : ''))),
      reasoning: joined(content.map((block) => (block.type === 'thinking' ? block.thinking : ''))),
      calls: content.flatMap((block) =>
        block.type === 'tool_use' ? [{ id: block.id, name: block.name, args: block.input }] : [],
      ),
      finish: stop_reason ?? '',
      input:
        usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      output: usage.output_tokens,
      cached: usage.cache_read_input_tokens ?? undefined,
    }
  })
})

test('PRO-11 what amber reads of any Gemini stream is what Google’s own SDK reads', async () => {
  const client = new GoogleGenAI({ apiKey: 'k', vertexai: false, httpOptions: { baseUrl: server.origin } })
  await agree(geminiStream, geminiDialect, async () => {
    let read: Read = {
      text: '',
      reasoning: '',
      calls: [],
      finish: '',
      input: undefined,
      output: undefined,
      cached: undefined,
    }
    const stream = await client.models.generateContentStream({ model: 'm-1', contents: 'go' })
    for await (const { candidates = [], usageMetadata } of stream) {
      const parts = candidates[0]?.content?.parts ?? []
      const said = (thought: boolean) =>
        parts.map((part) => ((part.thought ?? false) === thought ? (part.text ?? '') : '')).join('')
      const calls = parts.flatMap(({ functionCall: call }) =>
        call === undefined ? [] : [{ id: call.id ?? '', name: call.name ?? '', args: call.args ?? {} }],
      )
      read = {
        text: read.text + said(false),
        reasoning: read.reasoning + said(true),
        calls: [...read.calls, ...calls],
        finish: candidates[0]?.finishReason ?? read.finish,
        input: usageMetadata?.promptTokenCount ?? read.input,
        output: usageMetadata?.candidatesTokenCount ?? read.output,
        cached: usageMetadata?.cachedContentTokenCount ?? read.cached,
      }
    }
    return read
  })
})
