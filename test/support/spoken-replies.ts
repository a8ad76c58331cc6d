import fc from 'fast-check'

/** What a model says in one reply, and how a server cuts it up. */
export interface SpokenReply {
  readonly thinking: readonly string[]
  readonly text: readonly string[]
  readonly calls: readonly {
    readonly name: string
    readonly args: Readonly<Record<string, unknown>>
    /** How many characters of the arguments each piece has. */
    readonly pieces: number
  }[]
  readonly usage: { readonly input: number; readonly output: number; readonly cached: number }
  /** How many bytes the server sends at once. */
  readonly bytes: number
}

const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), { maxLength: 6 })
const name = fc.stringMatching(/^[a-z]{1,8}$/)
const leaf = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
)
const args = fc.dictionary(
  name,
  fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(name, leaf, { maxKeys: 3 })),
  {
    maxKeys: 4,
    noNullPrototype: true,
  },
)

/** Any reply that a server of a vendor could send. */
export const spokenReply: fc.Arbitrary<SpokenReply> = fc.record({
  thinking: words,
  text: words,
  calls: fc.array(fc.record({ name, args, pieces: fc.integer({ min: 1, max: 40 }) }), { maxLength: 3 }),
  usage: fc.record({ input: fc.nat(9999), output: fc.nat(9999), cached: fc.nat(99) }),
  bytes: fc.integer({ min: 1, max: 400 }),
})

function cut(text: string, size: number): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size))
  return pieces
}

const events = (data: readonly unknown[]) => data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')

/** The reply as OpenAI streams it. */
export function openAiStream({ text, calls, usage }: SpokenReply): string {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm-1' }
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason, logprobs: null }],
  })
  const call = ({ name: called, args: given, pieces }: SpokenReply['calls'][number], index: number) => [
    chunk({
      tool_calls: [
        { index, id: `call_${index}`, type: 'function', function: { name: called, arguments: '' } },
      ],
    }),
    ...cut(JSON.stringify(given), pieces).map((part) =>
      chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
    ),
  ]
  const counted = {
    prompt_tokens: usage.input + usage.cached,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.cached + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
  }
  return `${events([
    chunk({ role: 'assistant', content: '' }),
    ...text.map((content) => chunk({ content })),
    ...calls.flatMap(call),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    { ...head, choices: [], usage: counted },
  ])}data: [DONE]\n\n`
}

/** The reply as Anthropic streams it. */
export function anthropicStream({ thinking, text, calls, usage }: SpokenReply): string {
  const tokens = {
    input_tokens: usage.input,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: 0,
  }
  const blocks = [
    ...(thinking.length === 0
      ? []
      : [
          {
            start: { type: 'thinking', thinking: '', signature: '' },
            deltas: [
              ...thinking.map((part) => ({ type: 'thinking_delta', thinking: part })),
              { type: 'signature_delta', signature: 'c2lnbmVk' },
            ],
          },
        ]),
    ...(text.length === 0
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: text.map((part) => ({ type: 'text_delta', text: part })),
          },
        ]),
    ...calls.map(({ name: called, args: given, pieces }, at) => ({
      start: { type: 'tool_use', id: `toolu_${at}`, name: called, input: {} },
      deltas: cut(JSON.stringify(given), pieces).map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      })),
    })),
  ]
  const all: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[] = [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm-1',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...tokens, output_tokens: 1 },
      },
    },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: usage.output },
    },
    { type: 'message_stop' },
  ]
  return all.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('')
}

/** The reply as Gemini streams it. */
export function geminiStream({ thinking, text, calls, usage }: SpokenReply): string {
  const chunk = (parts: readonly object[], more: object = {}) => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
    modelVersion: 'm-1',
  })
  return events([
    ...thinking.map((part) => chunk([{ text: part, thought: true }])),
    ...text.map((part) => chunk([{ text: part }])),
    ...calls.map(({ name: called, args: given }, at) =>
      chunk([{ functionCall: { id: `fc_${at}`, name: called, args: given } }]),
    ),
    {
      ...chunk([{ text: '' }], { finishReason: 'STOP' }),
      usageMetadata: {
        promptTokenCount: usage.input + usage.cached,
        candidatesTokenCount: usage.output,
        cachedContentTokenCount: usage.cached,
        totalTokenCount: usage.input + usage.cached + usage.output,
      },
    },
  ])
}
