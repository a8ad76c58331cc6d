import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAiDialect } from '../../host/llm/openai/dialect.ts'
import { prepareRequest } from '../../host/llm/prepare.ts'
import {
  type AssistantMessage,
  type DialectConfig,
  type Message,
  recordOf,
  type ToolCallRequest,
  type ToolDefinition,
} from '../../sdk/index.ts'

const READER = { flavor: 'openai', model: 'acme-1' }
const CONFIG: DialectConfig = { apiBase: 'https://acme.test/v1/', apiKey: 'k', model: 'acme-1' }

function history(...messages: readonly Message[]): readonly Message[] {
  return prepareRequest({ messages, tools: [], stream: true }, READER).request.messages
}

function body(
  messages: readonly Message[],
  more: { tools?: readonly ToolDefinition[]; config?: Partial<DialectConfig> } = {},
) {
  const { request } = prepareRequest({ messages, tools: more.tools ?? [], stream: true }, READER)
  const built: Record<string, unknown> = JSON.parse(
    JSON.stringify(openAiDialect.buildChatBody({ ...CONFIG, ...more.config }, request)),
  )
  assert.ok(Array.isArray(built.messages))
  return { ...built, messages: built.messages, tools: built.tools }
}

function parametersOf(parameters: Readonly<Record<string, unknown>>): unknown {
  const sent = body([], { tools: [{ name: 't', description: '', parameters }] })
  const [tool] = Array.isArray(sent.tools) ? sent.tools : []
  return recordOf(recordOf(tool)?.function)?.parameters
}

const user = (text: string): Message => ({ role: 'user', text })
const call = (id: string, name = 'read', args = '{}'): ToolCallRequest => ({ id, name, arguments: args })
const said = (text: string, ...toolCalls: readonly ToolCallRequest[]): AssistantMessage => ({
  role: 'assistant',
  text,
  toolCalls,
})
const result = (callId: string, text = 'done'): Message => ({
  role: 'tool',
  callId,
  name: 'read',
  ok: true,
  text,
})

test('PRO-7 the addresses and headers of the openai dialect', () => {
  assert.equal(openAiDialect.chatUrl(CONFIG, true), 'https://acme.test/v1/chat/completions')
  assert.equal(openAiDialect.modelsUrl(CONFIG), 'https://acme.test/v1/models')
  assert.equal(
    openAiDialect.chatUrl({ ...CONFIG, apiBase: 'https://a.test/v1?api-version=2' }, true),
    'https://a.test/v1/chat/completions?api-version=2',
  )
  assert.deepEqual(openAiDialect.authHeaders(CONFIG), { authorization: 'Bearer k' })
  assert.deepEqual(openAiDialect.authHeaders({ ...CONFIG, apiKey: ' ' }), {})
})

test('PRO-7 no method of the dialect throws on nonsense', () => {
  const request = { messages: [], tools: [], stream: true }
  for (const raw of [
    '',
    'null',
    '[]',
    '{',
    '"x"',
    '{"choices":[null]}',
    '{"choices":{}}',
    '{"data":[1,null,{}]}',
    '\u0000',
  ]) {
    assert.doesNotThrow(() => {
      openAiDialect.parseCompletion(raw, request)
      openAiDialect.parseModelList(raw)
      openAiDialect.parseModels(raw, 'x')
      openAiDialect.parseUsage(raw)
      openAiDialect.isRetryable(500, raw)
      openAiDialect.contextOverflowHint(raw)
      const decoder = openAiDialect.makeDecoder(request, () => {})
      decoder.push({ event: undefined, data: raw })
      decoder.finish()
      decoder.push({ event: undefined, data: raw })
      decoder.finish()
    })
  }
})

test('P20 P21 plain text stays a string and the system role is system', () => {
  const { messages } = body([{ role: 'system', placement: 'system', text: 'Be brief.' }, user('hi')])
  assert.deepEqual(messages, [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'hi' },
  ])
})

test('PRM-1 each system message is its own, and mergeSystem joins them with a blank line', () => {
  const blocks: Message[] = [
    { role: 'system', placement: 'system', text: 'a' },
    { role: 'system', placement: 'head', text: 'b' },
    user('hi'),
    user('there'),
    { role: 'system', placement: 'tail', text: 'c' },
  ]
  assert.equal(body(blocks).messages.length, 5)
  assert.deepEqual(body(blocks, { config: { mergeSystem: true } }).messages, [
    { role: 'system', content: 'a\n\nb\n\nc' },
    { role: 'user', content: 'hi\n\nthere' },
  ])
})

test('PRM-3 the same request has the same bytes', () => {
  const messages = [user('hi'), said('', call('a')), result('a')]
  assert.equal(JSON.stringify(body(messages)), JSON.stringify(body(messages)))
})

test('P1 thinking that a server echoes back is echoed with the call, to the same model alone', () => {
  const thought: Message = {
    ...said('', call('a')),
    reasoning: 'think',
    replay: { reasoningContent: 'think' },
    origin: READER,
  }
  const sent = (message: Message) => recordOf(body([user('hi'), message, result('a')]).messages[1])
  assert.equal(sent(thought)?.reasoning_content, 'think')
  assert.equal(
    'reasoning_content' in (sent({ ...thought, origin: { ...READER, model: 'other' } }) ?? {}),
    false,
  )
})

test('P12 P18 no empty text and no empty assistant message is sent', () => {
  const { messages } = body([
    user('hi'),
    said(''),
    said(' \n'),
    user('again'),
    said('', call('a')),
    result('a'),
  ])
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['user', 'user', 'assistant', 'tool'],
  )
  assert.equal(messages[2]?.content, null)
})

test('P14 the last word of the assistant does not end in blanks', () => {
  assert.deepEqual(history(user('hi'), said('abc \n')).at(-1), said('abc'))
})

test('P15 a call without a result gets one that says so, right behind it', () => {
  const [, , first, second, next] = history(
    user('hi'),
    said('', call('a'), call('b')),
    result('b'),
    user('go on'),
  )
  assert.equal(first?.role === 'tool' && first.callId, 'a')
  assert.equal(first?.role === 'tool' && first.ok, false)
  assert.equal(second?.role === 'tool' && second.callId, 'b')
  assert.equal(next?.role, 'user')
})

test('P16 a result without its call, and a second result of one call, are left out', () => {
  const sent = history(
    user('hi'),
    result('ghost'),
    said('', call('a')),
    result('a', 'one'),
    result('a', 'two'),
  )
  assert.deepEqual(
    sent.map((message) => (message.role === 'tool' ? message.text : message.role)),
    ['user', 'assistant', 'one'],
  )
})

test('N9 a result that was stored before its call stands behind it', () => {
  const sent = history(user('hi'), result('a'), said('', call('a')))
  assert.deepEqual(
    sent.map(({ role }) => role),
    ['user', 'assistant', 'tool'],
  )
  assert.equal(sent[2]?.role === 'tool' && sent[2].text, 'done')
})

test('P17 an id that is illegal here is rewritten, the same on call and result; own ids stay', () => {
  const id = 'call_1|fc_2'
  const [, foreign, answer] = history(user('hi'), said('', call(id)), result(id))
  assert.ok(foreign?.role === 'assistant' && answer?.role === 'tool')
  assert.match(foreign.toolCalls[0]?.id ?? '', /^[a-zA-Z0-9_-]{1,40}$/)
  assert.equal(answer.callId, foreign.toolCalls[0]?.id)
  const [, own] = history(
    user('hi'),
    { ...said('', call('llm_version:0')), origin: READER },
    result('llm_version:0'),
  )
  assert.equal(own?.role === 'assistant' && own.toolCalls[0]?.id, 'llm_version:0')
})

test('P17 an id that stands twice in a conversation is made new on both halves', () => {
  const sent = history(
    user('hi'),
    said('', call('0')),
    result('0', 'one'),
    said('', call('0')),
    result('0', 'two'),
  )
  const ids = sent.flatMap((message) =>
    message.role === 'assistant' ? message.toolCalls.map((one) => one.id) : [],
  )
  assert.equal(new Set(ids).size, 2)
  assert.deepEqual(
    sent.flatMap((message) => (message.role === 'tool' ? [[message.callId, message.text]] : [])),
    [
      [ids[0], 'one'],
      [ids[1], 'two'],
    ],
  )
})

test('P19 D12 arguments that are no object are repaired, and their result stays', () => {
  for (const [written, sent] of [
    ['{"p":1}}', '{}'],
    ['', '{}'],
    ['[1]', '{}'],
    ['"{\\"p\\":1}"', '{"p":1}'],
    ['{"p": 1}', '{"p": 1}'],
  ]) {
    const [, message, answer] = history(user('hi'), said('', call('a', 'read', written)), result('a'))
    assert.equal(message?.role === 'assistant' && message.toolCalls[0]?.arguments, sent)
    assert.equal(answer?.role, 'tool')
  }
})

test('P22 no lone surrogate is sent, whether in a text, in arguments or escaped in them', () => {
  const cut = '😀'.slice(0, 1)
  const args = `{"p":"${cut}"}`
  const escaped = '{"p":"\\ud83d"}'
  const sent = JSON.stringify(
    body([
      user(cut),
      said(cut, call('a', 'read', args), call('b', 'read', escaped)),
      result('a', `x${cut}`),
      result('b'),
    ]),
  )
  assert.doesNotMatch(sent, /[\ud800-\udfff]|\\ud[89a-f]/i)
  assert.match(JSON.stringify(body([user('😀')])), /😀/)
})

test('SES-2 the stored conversation is not changed by sending it', () => {
  const stored = [user('hi'), said('', call('x|y', 'read', '{"p')), user('again')]
  const before = JSON.stringify(stored)
  body(stored)
  assert.equal(JSON.stringify(stored), before)
})

test('J3 properties and required stand on objects alone', () => {
  const sent = parametersOf({
    type: 'object',
    properties: { a: { type: 'string', properties: {}, required: [] } },
  })
  assert.deepEqual(sent, { type: 'object', properties: { a: { type: 'string' } } })
})

test('J5 a tool without parameters gets an empty object', () => {
  assert.deepEqual(parametersOf({ type: 'object', additionalProperties: false }), {
    type: 'object',
    additionalProperties: false,
    properties: {},
  })
  assert.deepEqual(parametersOf({}), { type: 'object', properties: {} })
})

test('J5 a combined root is flattened, for the API takes no combination there', () => {
  const sent = parametersOf({
    anyOf: [
      { properties: { a: { type: 'string' } }, required: ['a'] },
      { properties: { b: { type: 'number' } } },
    ],
  })
  assert.deepEqual(sent, { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } })
})

test('J6 J7 names are mapped to the wire and back, in tools, history and replies, and no two meet', () => {
  const long = 'x'.repeat(67)
  const names = ['admin.tools/list', 'admin_tools_list', 'Atlassian Rovo', long, `${long}y`, '3d']
  const tools = names.map((name) => ({ name, description: '', parameters: {} }))
  const prepared = prepareRequest(
    { messages: [user('hi'), said('', call('a', 'admin.tools/list')), result('a')], tools, stream: true },
    READER,
  )
  const wire = prepared.request.tools.map(({ name }) => name)
  assert.equal(new Set(wire).size, names.length)
  for (const name of wire) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
  assert.deepEqual(
    wire.map((name) => prepared.names.fromWire(name)),
    names,
  )
  assert.equal(wire[1], 'admin_tools_list')
  const [, message] = prepared.request.messages
  assert.equal(message?.role === 'assistant' && message.toolCalls[0]?.name, wire[0])
})

test('J9 nothing that compatible servers refuse is sent', () => {
  const sent = body([user('hi')], { tools: [{ name: 't', description: '', parameters: {} }] })
  assert.doesNotMatch(JSON.stringify(sent), /strict|parallel_tool_calls|developer|max_completion_tokens/)
  assert.equal(body([user('hi')]).tools, undefined)
})
