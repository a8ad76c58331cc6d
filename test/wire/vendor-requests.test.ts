import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { openAiDialect } from '../../host/llm/openai/dialect.ts'
import { prepareRequest } from '../../host/llm/prepare.ts'
import { anthropicDialect } from '../../plugins/anthropic/dialect.ts'
import { geminiDialect } from '../../plugins/gemini/dialect.ts'
import type { AssistantMessage, ChatRequest, Dialect, DialectConfig, Message } from '../../sdk/index.ts'
import { compileTypes } from '../support/compile-types.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const text = fc.string({ maxLength: 30 })
const name = fc.constantFrom('read', 'mcp_files_read', 'wëird name!', 'x'.repeat(90))
const user: fc.Arbitrary<Message> = fc.record({
  role: fc.constant('user' as const),
  text,
  images: fc.oneof(fc.constant([]), fc.constant([{ mimeType: 'image/png', base64: 'iVBORw0KGgo=' }])),
})
const assistant: fc.Arbitrary<AssistantMessage> = fc.record({
  role: fc.constant('assistant' as const),
  text,
  reasoning: text,
  toolCalls: fc.array(
    fc.record({
      id: fc.string({ maxLength: 6 }),
      name,
      arguments: fc.constantFrom('', '{}', '{"path":"a"}', '{"pa'),
    }),
    { maxLength: 3 },
  ),
})
const result: fc.Arbitrary<Message> = fc.record({
  role: fc.constant('tool' as const),
  callId: fc.string({ maxLength: 6 }),
  name,
  ok: fc.boolean(),
  text,
})
const block: fc.Arbitrary<Message> = fc.record({
  role: fc.constant('system' as const),
  text,
  placement: fc.constantFrom('system' as const, 'head' as const, 'tail' as const),
})

/** Schemas as the tools of the world write them. */
const PARAMETERS: readonly Readonly<Record<string, unknown>>[] = [
  { type: 'object', properties: {} },
  {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      path: { type: ['string', 'null'], default: null },
      mode: { anyOf: [{ const: 'a' }, { const: 'b' }] },
      where: { $ref: '#/definitions/place' },
    },
    required: ['path'],
    additionalProperties: false,
    definitions: { place: { type: 'object', properties: { line: { type: 'integer', minimum: 1 } } } },
  },
  { type: 'object', properties: { list: { type: 'array' }, any: {} }, oneOf: [{ required: ['list'] }] },
]
const tool = fc.record({ name, description: text, parameters: fc.constantFrom(...PARAMETERS) })

/** Conversations as they really are: cut, denied, aborted, of other providers. */
const request: fc.Arbitrary<ChatRequest> = fc.record({
  messages: fc
    .tuple(
      fc.array(block, { maxLength: 3 }),
      fc.array(fc.oneof(user, assistant, result), { maxLength: 8 }),
      user,
    )
    .map(([blocks, conversation, last]) => [...blocks, ...conversation, { ...last, text: 'and now?' }]),
  tools: fc.uniqueArray(tool, { selector: (one) => one.name, maxLength: 3 }),
  stream: fc.constant(true),
})

const SAMPLES = fc.sample(request, { numRuns: 40, seed: 20_260_101 })

const VENDORS: readonly {
  readonly dialect: Dialect
  readonly config: Partial<DialectConfig>
  /** Declares `Body`, the vendor's own type of a request. */
  readonly types: string
}[] = [
  {
    dialect: openAiDialect,
    config: { model: 'gpt-4.1', reasoningEffort: 'high', maxOutputTokens: 100 },
    types: `import type OpenAI from 'openai'
type Body = OpenAI.Chat.ChatCompletionCreateParamsStreaming`,
  },
  {
    dialect: anthropicDialect,
    config: { model: 'claude-sonnet-4-5', reasoningEffort: 'low' },
    types: `import type Anthropic from '@anthropic-ai/sdk'
type Body = Anthropic.MessageCreateParamsStreaming`,
  },
  {
    dialect: geminiDialect,
    config: { model: 'gemini-2.5-pro', reasoningEffort: 'medium', maxOutputTokens: 100 },
    // The SDK's types are those of the wire, but for enums, which stand there as their words; those of a schema's
    // types small as well, as in Google's own examples of requests.
    types: `import type { Content, GenerationConfig, Tool } from '@google/genai'
type Wire<Value> = Value extends string ? \`\${Value}\` | Lowercase<\`\${Value}\`> : Value extends readonly (infer Item)[] ? Wire<Item>[]
  : Value extends object ? { [Key in keyof Value]: Wire<Value[Key]> } : Value
interface Body { contents: Wire<Content>[]; systemInstruction?: Wire<Content>; tools?: Wire<Tool>[]; generationConfig?: Wire<GenerationConfig> }`,
  },
]

test('PRO-7 the requests that amber builds are requests by the vendors’ own types', (t) => {
  const folder = temporaryFolder(t)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const files = Object.fromEntries(
    VENDORS.map(({ dialect, config, types }) => {
      const full = { apiBase: '', apiKey: '', model: 'm', ...config }
      const bodies = SAMPLES.map((sample) => {
        const prepared = prepareRequest(sample, { flavor: dialect.flavor, model: full.model }).request
        return JSON.stringify(dialect.buildChatBody(full, prepared))
      })
      const checks = bodies.map((body) => `void (${body} satisfies Body)`)
      return [`${dialect.flavor}.ts`, `${types}\n${checks.join('\n')}\n`]
    }),
  )
  const broken = `${VENDORS[0]?.types}\nvoid ({ model: 'm', stream: true, messages: [{ role: 'tool', content: 'x' }] } satisfies Body)\n`
  const errors = compileTypes(folder, { ...files, 'broken.ts': broken })
  assert.ok(errors.has('broken.ts'), 'the compiler did look')
  for (const { dialect } of VENDORS) {
    assert.deepEqual(errors.get(`${dialect.flavor}.ts`) ?? [], [], dialect.flavor)
  }
})
