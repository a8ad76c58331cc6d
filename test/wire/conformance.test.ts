import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAiDialect } from '../../host/llm/openai/dialect.ts'
import { checkDialect, type DialectRecording } from '../../host/testing/index.ts'
import { anthropicDialect } from '../../plugins/anthropic/dialect.ts'
import { geminiDialect } from '../../plugins/gemini/dialect.ts'
import type { Dialect, StreamChunk } from '../../sdk/index.ts'
import { sseEvent } from '../support/dialect-wire.ts'
import { corpusMissing, readCorpus } from '../support/wire-corpus.ts'

/** Recorded bodies as a third party would write them down: only what the kit compares. */
function recordingsOf(protocol: string): readonly DialectRecording[] {
  return readCorpus(protocol).map(({ name, extension, body, expected }) => ({
    name,
    body,
    buffered: extension === '.json',
    expected: {
      ...(typeof expected.text === 'string' ? { text: expected.text } : {}),
      ...(typeof expected.finishReason === 'string' ? { finishReason: expected.finishReason } : {}),
    },
  }))
}

for (const dialect of [openAiDialect, anthropicDialect, geminiDialect]) {
  test(`PRO-7 the dialect ${dialect.flavor} keeps every promise that the kit holds a third party’s to`, (t) => {
    checkDialect(dialect, [])
    if (corpusMissing !== undefined) t.skip(corpusMissing)
    else checkDialect(dialect, recordingsOf(dialect.flavor))
  })
}

const CALL = { id: 'call_1', type: 'function', function: { name: 'greet', arguments: '{"name":"amber"}' } }
const RECORDINGS: readonly DialectRecording[] = [
  {
    name: 'a call',
    body: [
      sseEvent({ choices: [{ delta: { role: 'assistant', content: 'Wait… ☀' } }] }),
      sseEvent({ choices: [{ delta: { tool_calls: [{ index: 0, ...CALL }] } }] }),
      sseEvent({
        choices: [{ delta: {}, finish_reason: 'tool_calls' }],
        usage: { prompt_tokens: 7, completion_tokens: 3 },
      }),
      sseEvent('[DONE]'),
    ].join(''),
    expected: {
      text: 'Wait… ☀',
      finishReason: 'tool_calls',
      status: 'complete',
      toolCalls: [{ id: 'call_1', name: 'greet', arguments: { name: 'amber' } }],
      usage: { inputTokens: 7, outputTokens: 3, wire: { promptTokens: 7 } },
    },
  },
  {
    name: 'a whole answer',
    body: JSON.stringify({
      choices: [{ message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
    }),
    buffered: true,
    expected: { text: 'Yes.', reasoning: '', finishReason: 'stop', toolCalls: [] },
  },
]

/** A decoder whose chunks are changed on their way. */
function altered(change: (chunk: StreamChunk) => readonly StreamChunk[]): Dialect['makeDecoder'] {
  return (request, onChunk) =>
    openAiDialect.makeDecoder(request, (chunk) => {
      for (const one of change(chunk)) onChunk(one)
    })
}

const MUTANTS: Readonly<Record<string, readonly [Partial<Dialect>, RegExp]>> = {
  'throws on HTML': [{ parseModelList: (body) => JSON.parse(body) }, /PRO-7 parseModelList throws/],
  'sends an empty key': [
    { authHeaders: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}` }) },
    /PRO-13 authHeaders/,
  ],
  'puts the key into the address': [
    { chatUrl: ({ apiBase, apiKey }) => `${apiBase}/chat?key=${apiKey}` },
    /PRO-13 chatUrl carries the key/,
  ],
  'gives other bytes each time': [
    {
      buildChatBody: (config, request) => ({
        ...openAiDialect.buildChatBody(config, request),
        at: Math.random(),
      }),
    },
    /PRM-3 buildChatBody/,
  ],
  'loses a message': [
    {
      buildChatBody: (config, request) =>
        openAiDialect.buildChatBody(config, { ...request, messages: request.messages.slice(1) }),
    },
    /leaves out "Answer briefly\."/,
  ],
  'ends twice': [
    { makeDecoder: altered((chunk) => (chunk.type === 'end' ? [chunk, chunk] : [chunk])) },
    /2 end chunks/,
  ],
  'never ends': [
    { makeDecoder: altered((chunk) => (chunk.type === 'end' ? [] : [chunk])) },
    /without an end chunk/,
  ],
  'tells another text than it ends with': [
    { makeDecoder: altered((chunk) => (chunk.type === 'text' ? [] : [chunk])) },
    /the text chunks are not/,
  ],
  'reads by event and not by content': [
    {
      makeDecoder(request, onChunk) {
        const decoder = openAiDialect.makeDecoder(request, onChunk)
        let count = 0
        return {
          finish: (error) => decoder.finish(error),
          push: (event) => (++count === 2 ? undefined : decoder.push(event)),
        }
      },
    },
    /PRO-11 it is read differently after an event that is no JSON/,
  ],
  'counts no dropped event': [
    {
      makeDecoder: altered((chunk) =>
        chunk.type === 'end' ? [{ ...chunk, completion: { ...chunk.completion, dropped: 0 } }] : [chunk],
      ),
    },
    /not counted as dropped/,
  ],
  'invents usage': [
    {
      makeDecoder: altered((chunk) =>
        chunk.type === 'end'
          ? [
              {
                ...chunk,
                completion: { ...chunk.completion, usage: { inputTokens: 0, outputTokens: 0, wire: {} } },
              },
            ]
          : [chunk],
      ),
    },
    /usage inputTokens: 7 expected, got 0/,
  ],
}

test('PRO-7 a sound dialect passes with recordings of its own', () => checkDialect(openAiDialect, RECORDINGS))

for (const [what, [change, message]] of Object.entries(MUTANTS)) {
  test(`PRO-7 the kit names what is wrong with a dialect that ${what}`, () => {
    assert.throws(
      () => checkDialect({ ...openAiDialect, ...change }, RECORDINGS),
      (error) => error instanceof assert.AssertionError && message.test(error.message),
    )
  })
}

test('PRO-11 a recording that is read otherwise is told with both readings', () => {
  const [first] = RECORDINGS
  assert.ok(first)
  const wrong = { ...first, expected: { text: 'Wait', toolCalls: [], finishReason: 'stop' } }
  assert.throws(
    () => checkDialect(openAiDialect, [wrong]),
    /a call: PRO-11 text: "Wait" expected[\s\S]*finish reason: "stop" expected, got "tool_calls"[\s\S]*tool calls: \[\] expected/,
  )
})
