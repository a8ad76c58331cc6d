import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRecord, listOf } from 'amber-agent/sdk'
import { prepareRequest } from '../../host/llm/prepare.ts'
import type {
  AssistantMessage,
  ChatRequest,
  DialectConfig,
  Message,
  ToolCallRequest,
} from '../../sdk/index.ts'
import { providersOf } from '../../test/support/preset-facts.ts'
import { anthropicDialect } from './dialect.ts'

const CONFIG: DialectConfig = {
  apiBase: 'https://api.anthropic.com',
  apiKey: 'k',
  model: 'claude-sonnet-4-5',
}
const READER = { flavor: 'anthropic', model: CONFIG.model }

/** The body as it goes over the wire, after the host made the request ready. */
function bodyOf(
  messages: readonly Message[],
  more: { tools?: ChatRequest['tools']; config?: Partial<DialectConfig>; stream?: boolean } = {},
) {
  const { request } = prepareRequest(
    { messages, tools: more.tools ?? [], stream: more.stream ?? true },
    READER,
  )
  const body: Record<string, unknown> = JSON.parse(
    JSON.stringify(anthropicDialect.buildChatBody({ ...CONFIG, ...more.config }, request)),
  )
  const sent = listOf(body.messages).filter(isRecord)
  return { ...body, sent, contents: sent.map(({ content }) => listOf(content).filter(isRecord)) }
}

const user = (text: string): Message => ({ role: 'user', text })
const block = (placement: 'system' | 'head' | 'tail', text: string): Message => ({
  role: 'system',
  placement,
  text,
})
const call = (id: string, name = 'read', args = '{}'): ToolCallRequest => ({ id, name, arguments: args })
const said = (text: string, ...toolCalls: readonly ToolCallRequest[]): AssistantMessage => ({
  role: 'assistant',
  text,
  toolCalls,
})
const result = (callId: string, text = 'done', ok = true): Message => ({
  role: 'tool',
  callId,
  name: 'read',
  ok,
  text,
})
const withoutMarks = (blocks: readonly Readonly<Record<string, unknown>>[]) =>
  blocks.map(({ cache_control: _, ...rest }) => rest)

test('SET-1 anthropic is one preset of its own protocol', () => {
  assert.deepEqual(providersOf('anthropic'), [
    {
      flavor: 'anthropic',
      ownDialect: true,
      presets: [
        {
          name: 'anthropic',
          apiBase: 'https://api.anthropic.com',
          defaultModel: 'claude-sonnet-4-5',
          requiresKey: true,
          keyEnv: ['ANTHROPIC_API_KEY'],
        },
      ],
    },
  ])
})

test('PRO-7 addresses: one /v1, whatever the base ends in', () => {
  const at = (apiBase: string) => anthropicDialect.chatUrl({ ...CONFIG, apiBase }, true)
  assert.equal(at('https://api.anthropic.com'), 'https://api.anthropic.com/v1/messages')
  assert.equal(at('https://api.anthropic.com/v1/'), 'https://api.anthropic.com/v1/messages')
  assert.equal(at('https://a.test/v1/messages'), 'https://a.test/v1/messages')
  assert.equal(at('https://a.test/proxy?team=1'), 'https://a.test/proxy/v1/messages?team=1')
  assert.equal(at(''), '')
  assert.equal(anthropicDialect.modelsUrl(CONFIG), 'https://api.anthropic.com/v1/models?limit=1000')
})

test('PRO-13 the version always goes, the key only when there is one', () => {
  assert.deepEqual(anthropicDialect.authHeaders(CONFIG), {
    'anthropic-version': '2023-06-01',
    'x-api-key': 'k',
  })
  assert.deepEqual(anthropicDialect.authHeaders({ ...CONFIG, apiKey: ' ' }), {
    'anthropic-version': '2023-06-01',
  })
})

test('PRM-2 system and head are the top-level system, tail is marked text at the end of the last user message', () => {
  const body = bodyOf([
    block('system', 'base'),
    block('head', 'project'),
    user('hi'),
    said('hello'),
    user('go on'),
    block('tail', 'it is noon'),
  ])
  const mark = { cache_control: { type: 'ephemeral' } }
  assert.deepEqual(Reflect.get(body, 'system'), [
    { type: 'text', text: 'base', ...mark },
    { type: 'text', text: 'project', ...mark },
  ])
  assert.deepEqual(body.contents.at(-1), [
    { type: 'text', text: 'go on', ...mark },
    { type: 'text', text: '<system-note>\nit is noon\n</system-note>' },
  ])
})

test('PRM-3 a changing tail changes nothing before it, and no mark stands behind it', () => {
  const bodyAt = (time: string) => {
    const { sent } = bodyOf([block('system', 'base'), user('hi'), block('tail', time)])
    return JSON.stringify(sent)
  }
  const [noon, one] = [bodyAt('noon'), bodyAt('one')]
  assert.ok(noon.indexOf('noon') > noon.lastIndexOf('cache_control'))
  assert.equal(noon.slice(0, noon.indexOf('noon')), one.slice(0, one.indexOf('one')))
})

test('PRM-3 as much is marked as a request may: four parts, the last user message always', () => {
  const tools = [{ name: 'read', description: 'Reads.', parameters: { type: 'object', properties: {} } }]
  const conversation = [user('a'), said('b'), user('c'), said('d'), user('e')]
  const marksOf = (...blocks: readonly Message[]) => {
    const { contents, sent: _, ...wire } = bodyOf([...blocks, ...conversation], { tools })
    assert.ok(contents.at(-1)?.[0]?.cache_control)
    return JSON.stringify(wire).match(/"cache_control"/g)?.length
  }
  assert.equal(marksOf(), 3)
  assert.equal(marksOf(block('system', 's')), 4)
  assert.equal(marksOf(block('system', 's'), block('head', 'h')), 4)
})

test('P7 all results of a turn are in one user message, in call order, before what the user says', () => {
  const { sent, contents } = bodyOf([
    user('hi'),
    said('', call('a'), call('b')),
    result('b', 'second', false),
    result('a', 'first'),
    user('and now?'),
  ])
  assert.deepEqual(
    sent.map(({ role }) => role),
    ['user', 'assistant', 'user'],
  )
  assert.deepEqual(withoutMarks(contents[2] ?? []), [
    { type: 'tool_result', tool_use_id: 'a', content: 'first' },
    { type: 'tool_result', tool_use_id: 'b', content: 'second', is_error: true },
    { type: 'text', text: 'and now?' },
  ])
})

test('P12 P18 no empty text block, no empty message; a call has an object as its input (D12)', () => {
  const { contents } = bodyOf([
    user('hi'),
    said('', call('a', 'read', '')),
    result('a', ''),
    said('  '),
    user('x'),
  ])
  assert.deepEqual(contents[1], [{ type: 'tool_use', id: 'a', name: 'read', input: {} }])
  assert.ok(!JSON.stringify(contents).includes('"text":""'))
})

test('P14 the last word of the model has no blank at its end', () => {
  const { contents } = bodyOf([user('hi'), said('abc \n')])
  assert.deepEqual(contents.at(-1), [{ type: 'text', text: 'abc' }])
})

test('P15 P16 a call without a result gets one, a result without a call goes', () => {
  const { contents } = bodyOf([user('hi'), result('lost'), said('', call('a')), user('again')])
  const blocks = contents.flat()
  assert.equal(blocks.filter(({ type }) => type === 'tool_use').length, 1)
  const results = blocks.filter(({ type }) => type === 'tool_result')
  assert.deepEqual(
    results.map(({ tool_use_id: id }) => id),
    ['a'],
  )
})

test('P17 ids of another vendor are made legal, the same on call and result', () => {
  const { contents } = bodyOf([user('hi'), said('', call('call_1|fc_2')), result('call_1|fc_2')])
  const [use, answer] = [contents[1]?.[0], contents[2]?.[0]]
  assert.match(String(use?.id), /^[a-zA-Z0-9_-]+$/)
  assert.equal(use?.id, answer?.tool_use_id)
})

test('PRO-11 thinking goes back to the model that wrote it, in its place and with its signature, and to no other', () => {
  const replay = {
    blocks: [
      { type: 'thinking', thinking: 'hm', signature: 's1' },
      { type: 'redacted_thinking', data: 'd' },
      { type: 'text', text: 'I look.' },
      { type: 'thinking', thinking: '', signature: 's2' },
      { type: 'tool_use', id: 'a' },
    ],
  }
  const message = { ...said('I look.', call('a')), reasoning: 'hm', replay }
  const own = { ...message, origin: READER }
  const contentOf = (one: AssistantMessage) => bodyOf([user('hi'), one, result('a')]).contents[1]
  assert.deepEqual(contentOf(own), [
    { type: 'thinking', thinking: 'hm', signature: 's1' },
    { type: 'redacted_thinking', data: 'd' },
    { type: 'text', text: 'I look.' },
    { type: 'thinking', thinking: '', signature: 's2' },
    { type: 'tool_use', id: 'a', name: 'read', input: {} },
  ])
  const plain = [
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id: 'a', name: 'read', input: {} },
  ]
  assert.deepEqual(contentOf(message), plain)
  assert.deepEqual(contentOf({ ...own, origin: { ...READER, model: 'claude-opus-4-1' } }), plain)
  assert.deepEqual(
    contentOf({ ...own, text: 'Changed.' })?.map(({ type }) => type),
    ['thinking', 'redacted_thinking', 'thinking', 'text', 'tool_use'],
  )
})

test('PRO-7 the effort becomes a budget below max_tokens, or an effort where the model wants one', () => {
  const limits = (config: Partial<DialectConfig>, messages: readonly Message[] = [user('hi')]) => {
    const body = bodyOf(messages, { config })
    const { max_tokens: max, thinking, output_config: output } = Object.fromEntries(Object.entries(body))
    return { max, thinking, output }
  }
  const none = { thinking: undefined, output: undefined }
  assert.deepEqual(limits({}), { max: 32_000, ...none })
  assert.deepEqual(limits({ reasoningEffort: 'off' }), { max: 32_000, ...none })
  assert.deepEqual(limits({ reasoningEffort: 'medium' }).thinking, { type: 'enabled', budget_tokens: 8192 })
  assert.deepEqual(limits({ reasoningEffort: 'high', maxOutputTokens: 4096 }), {
    max: 4096,
    thinking: { type: 'enabled', budget_tokens: 3072 },
    output: undefined,
  })
  assert.deepEqual(limits({ reasoningEffort: 'high', maxOutputTokens: 1500 }), { max: 1500, ...none })
  assert.deepEqual(limits({ reasoningEffort: 'low', model: 'claude-opus-4-7' }), {
    max: 32_000,
    thinking: { type: 'adaptive' },
    output: { effort: 'low' },
  })
  assert.deepEqual(limits({ reasoningEffort: 'low', model: 'claude-3-5-haiku-20241022' }), {
    max: 8192,
    ...none,
  })
  assert.equal(limits({ model: 'claude-3-opus-20240229' }).max, 4096)
  assert.equal(limits({ model: 'claude-opus-4-20250514' }).max, 32_000)
})

test('P17 in the middle of a turn that another model began there is no thinking, which the API would refuse', () => {
  const thinkingOf = (first: AssistantMessage) => {
    const body = bodyOf([user('hi'), first, result('a')], { config: { reasoningEffort: 'low' } })
    return Reflect.get(body, 'thinking')
  }
  assert.equal(thinkingOf(said('', call('a'))), undefined)
  const replay = { blocks: [{ type: 'thinking', thinking: 'hm', signature: 's' }] }
  assert.ok(thinkingOf({ ...said('', call('a')), origin: READER, replay }))
})

test('J1 J5 a schema goes as it is, but for a combination at its root', () => {
  const schemaOf = (parameters: Readonly<Record<string, unknown>>) => {
    const body = bodyOf([user('hi')], { tools: [{ name: 't', description: 'T.', parameters }] })
    const [tool] = listOf(Reflect.get(body, 'tools')).filter(isRecord)
    return tool?.input_schema
  }
  assert.deepEqual(schemaOf({}), { type: 'object', properties: {} })
  const whole = { type: 'object', properties: { a: { anyOf: [{ type: 'string' }] } }, required: ['a'] }
  assert.deepEqual(schemaOf(whole), whole)
  assert.deepEqual(
    schemaOf({
      type: 'object',
      properties: { a: { type: 'string' } },
      oneOf: [{ properties: { b: { type: 'number' } }, required: ['b'] }],
      allOf: [{ required: ['a'] }],
    }),
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a'],
    },
  )
})

test('J6 a parameter whose name the API refuses is left out, not the whole request', () => {
  const parameters = {
    type: 'object',
    properties: { $filter: { type: 'string' }, 'a.b': { type: 'string' } },
    required: ['$filter', 'a.b'],
  }
  const body = bodyOf([user('hi')], { tools: [{ name: 't', description: 'T.', parameters }] })
  const [tool] = listOf(Reflect.get(body, 'tools')).filter(isRecord)
  assert.deepEqual(tool?.input_schema, {
    type: 'object',
    properties: { 'a.b': { type: 'string' } },
    required: ['a.b'],
  })
})

test('PRO-7 a model list, its windows, and which errors may be tried again', () => {
  const list = JSON.stringify({
    data: [{ id: 'a', max_input_tokens: 200_000 }, { id: 'a' }, { id: 'b' }, 7],
  })
  assert.deepEqual(anthropicDialect.parseModelList(list), [{ id: 'a', contextWindow: 200_000 }, { id: 'b' }])
  assert.deepEqual(anthropicDialect.parseModels(list, 'b'), { id: 'b' })
  assert.equal(anthropicDialect.parseModels('<html>', 'b'), undefined)
  const overloaded = '{"type":"error","error":{"type":"overloaded_error"}}'
  assert.deepEqual(
    [429, 500, 529, 400, 401].map((status) => anthropicDialect.isRetryable(status, '')),
    [true, true, true, false, false],
  )
  assert.equal(anthropicDialect.isRetryable(200, overloaded), true)
  assert.equal(
    anthropicDialect.contextOverflowHint('prompt is too long: 3333404 tokens > 200000 maximum'),
    200_000,
  )
  assert.equal(
    anthropicDialect.contextOverflowHint('exceed context limit: 188240 + 21333 > 200000, decrease'),
    200_000,
  )
  assert.equal(anthropicDialect.contextOverflowHint('too many tokens per min'), undefined)
})

test('PRO-11 usage: input is fresh, read from the cache and written to it', () => {
  const usage = anthropicDialect.parseUsage(
    JSON.stringify({
      usage: {
        input_tokens: 3,
        cache_read_input_tokens: 10,
        cache_creation_input_tokens: 5,
        output_tokens: 7,
      },
    }),
  )
  assert.equal(usage?.inputTokens, 18)
  assert.equal(usage?.outputTokens, 7)
  assert.equal(usage?.cachedTokens, 10)
  assert.equal(usage?.wire.promptTokens, 3)
  assert.equal(anthropicDialect.parseUsage('[]'), undefined)
})
