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
import { geminiDialect } from './dialect.ts'

const CONFIG: DialectConfig = {
  apiBase: 'https://generativelanguage.googleapis.com',
  apiKey: 'k',
  model: 'gemini-2.5-pro',
}
const READER = { flavor: 'gemini', model: CONFIG.model }

/** The body as it goes over the wire, after the host made the request ready. */
function bodyOf(
  messages: readonly Message[],
  more: { tools?: ChatRequest['tools']; config?: Partial<DialectConfig> } = {},
) {
  const { request } = prepareRequest({ messages, tools: more.tools ?? [], stream: true }, READER)
  const body: Record<string, unknown> = JSON.parse(
    JSON.stringify(geminiDialect.buildChatBody({ ...CONFIG, ...more.config }, request)),
  )
  const contents = listOf(body.contents).filter(isRecord)
  return { body, contents, parts: contents.map(({ parts }) => listOf(parts).filter(isRecord)) }
}

const user = (text: string): Message => ({ role: 'user', text })
const block = (placement: 'system' | 'head' | 'tail', text: string): Message => ({
  role: 'system',
  placement,
  text,
})
const call = (id: string, replay?: unknown): ToolCallRequest => ({
  id,
  name: 'read',
  arguments: '{}',
  ...(replay === undefined ? {} : { replay }),
})
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

test('SET-1 gemini is one preset of its own protocol', () => {
  assert.deepEqual(providersOf('gemini'), [
    {
      flavor: 'gemini',
      ownDialect: true,
      presets: [
        {
          name: 'gemini',
          apiBase: 'https://generativelanguage.googleapis.com',
          defaultModel: 'gemini-2.5-pro',
          requiresKey: true,
          keyEnv: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
        },
      ],
    },
  ])
})

test('PRO-7 the call decides whether it streams; one version in the address, one models/', () => {
  const at = (config: Partial<DialectConfig>, stream: boolean) =>
    geminiDialect.chatUrl({ ...CONFIG, apiBase: 'https://g.test', ...config }, stream)
  const model = 'https://g.test/v1beta/models/gemini-2.5-pro'
  assert.equal(at({}, false), `${model}:generateContent`)
  assert.equal(at({}, true), `${model}:streamGenerateContent?alt=sse`)
  assert.equal(at({ apiBase: 'https://g.test/v1beta/' }, false), `${model}:generateContent`)
  assert.equal(at({ model: 'models/gemini-2.5-pro' }, false), `${model}:generateContent`)
  assert.equal(at({ apiBase: 'https://g.test?x=1' }, true), `${model}:streamGenerateContent?x=1&alt=sse`)
  assert.equal(at({ apiBase: '' }, true), '')
  assert.equal(geminiDialect.modelsUrl(CONFIG), 'https://generativelanguage.googleapis.com/v1beta/models')
})

test('PRO-13 the key goes in its own header, and none without one', () => {
  assert.deepEqual(geminiDialect.authHeaders(CONFIG), { 'x-goog-api-key': 'k' })
  assert.deepEqual(geminiDialect.authHeaders({ ...CONFIG, apiKey: ' ' }), {})
})

test('PRM-2 system and head are the instruction, tail is marked text at the end of the last user message', () => {
  const { body, parts } = bodyOf([
    block('system', 'base'),
    block('head', 'project'),
    user('hi'),
    block('tail', 'noon'),
  ])
  assert.deepEqual(body.systemInstruction, { parts: [{ text: 'base' }, { text: 'project' }] })
  assert.deepEqual(parts, [[{ text: 'hi' }, { text: '<system-note>\nnoon\n</system-note>' }]])
})

test('PRM-2 P7 a tail behind results is a content of its own: their number stays that of the calls', () => {
  const { parts } = bodyOf([user('hi'), said('', call('a')), result('a'), block('tail', 'noon')])
  assert.equal(parts[2]?.length, 1)
  assert.deepEqual(parts[3], [{ text: '<system-note>\nnoon\n</system-note>' }])
})

test('P6 P7 all results of a turn are in one content, 1:1 with the calls, each with its name', () => {
  const { contents, parts } = bodyOf([
    user('hi'),
    said('', call('call_1'), call('call_2')),
    result('call_2', 'denied', false),
    result('call_1', 'first'),
    user('and now?'),
  ])
  assert.deepEqual(
    contents.map(({ role }) => role),
    ['user', 'model', 'user', 'user'],
  )
  assert.deepEqual(parts[2], [
    { functionResponse: { name: 'read', response: { output: 'first' } } },
    { functionResponse: { name: 'read', response: { error: 'denied' } } },
  ])
  assert.deepEqual(parts[3], [{ text: 'and now?' }])
})

test('P7 a call that was never answered has its response all the same', () => {
  const { parts } = bodyOf([user('hi'), said('', call('a'), call('b')), result('a'), user('x')])
  assert.equal(parts[2]?.length, 2)
})

test('P2 a signature goes back on its own part, and an id where the wire had one', () => {
  const message: AssistantMessage = {
    ...said('I look.', call('w1', { id: 'w1', thoughtSignature: 's1' }), call('call_2')),
    origin: READER,
    replay: {
      parts: [{ text: 'I ' }, { text: 'look.', thoughtSignature: 's0' }, { call: true }, { call: true }],
    },
  }
  const { parts } = bodyOf([user('hi'), message, result('w1'), result('call_2')])
  assert.deepEqual(parts[1], [
    { text: 'I ' },
    { text: 'look.', thoughtSignature: 's0' },
    { functionCall: { id: 'w1', name: 'read', args: {} }, thoughtSignature: 's1' },
    { functionCall: { name: 'read', args: {} } },
  ])
  assert.deepEqual(
    parts[2]?.map(({ functionResponse: response }) => isRecord(response) && response.id),
    ['w1', undefined],
  )
})

test('P2 P17 what another vendor wrote goes without its data; Gemini 3 is told that its first call has no signature', () => {
  const foreign: AssistantMessage = {
    ...said('', call('a', { thoughtSignature: 'x' }), call('b')),
    origin: { flavor: 'anthropic', model: 'm' },
    replay: { parts: [{ text: '' }] },
  }
  const messages = [user('hi'), foreign, result('a'), result('b')]
  const signatures = (model: string) =>
    bodyOf(messages, { config: { model } }).parts[1]?.map(({ thoughtSignature }) => thoughtSignature)
  assert.deepEqual(signatures('gemini-2.5-pro'), [undefined, undefined])
  assert.deepEqual(signatures('gemini-3-pro-preview'), ['skip_thought_signature_validator', undefined])
})

test('P12 P18 no empty text, no empty content; a conversation that begins with the model gets an opening', () => {
  const { contents, parts } = bodyOf([said('before'), user('hi'), said(''), said('', call('a')), result('a')])
  assert.equal(contents[0]?.role, 'user')
  assert.deepEqual(parts[1], [{ text: 'before' }])
  assert.ok(parts.every((one) => one.length > 0))
})

test('PRO-7 the effort becomes a budget or a level, where the model takes either', () => {
  const thinking = (model: string, reasoningEffort: DialectConfig['reasoningEffort']) => {
    const config = { model, ...(reasoningEffort === undefined ? {} : { reasoningEffort }) }
    return bodyOf([user('hi')], { config }).body.generationConfig
  }
  assert.equal(thinking('gemini-2.5-pro', undefined), undefined)
  assert.equal(thinking('gemini-2.0-flash', 'high'), undefined)
  const budget = (thinkingBudget: number, includeThoughts = true) => ({
    thinkingConfig: { includeThoughts, thinkingBudget },
  })
  assert.deepEqual(thinking('gemini-2.5-flash', 'medium'), budget(8192))
  assert.deepEqual(thinking('gemini-2.5-flash', 'off'), budget(0, false))
  assert.deepEqual(thinking('gemini-2.5-pro', 'off'), budget(128, false))
  assert.deepEqual(thinking('gemini-3-pro-preview', 'high'), {
    thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' },
  })
  const limited = bodyOf([user('hi')], { config: { maxOutputTokens: 99 } })
  assert.deepEqual(limited.body.generationConfig, { maxOutputTokens: 99 })
})

test('PRO-7 a model list by the API’s own names, found with models/ or without', () => {
  const list = JSON.stringify({
    models: [
      { name: 'models/gemini-2.5-pro', inputTokenLimit: 1_048_576 },
      { name: 'models/gemini-2.5-pro' },
      {},
    ],
  })
  const entry = { id: 'models/gemini-2.5-pro', contextWindow: 1_048_576 }
  assert.deepEqual(geminiDialect.parseModelList(list), [entry])
  assert.deepEqual(geminiDialect.parseModels(list, 'gemini-2.5-pro'), entry)
  assert.deepEqual(geminiDialect.parseModelList('no'), [])
})

test('PRO-7 which errors may be tried again, and which window an overflow names', () => {
  assert.deepEqual(
    [429, 500, 503, 400, 403].map((status) => geminiDialect.isRetryable(status, '')),
    [true, true, true, false, false],
  )
  const overflow = 'The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).'
  assert.equal(geminiDialect.contextOverflowHint(overflow), 1_048_576)
  assert.equal(geminiDialect.contextOverflowHint('limit: 1000000 per minute'), undefined)
})

test('PRO-11 usage: thoughts are written, and what Google’s own tools brought is read', () => {
  const usage = geminiDialect.parseUsage(
    JSON.stringify({
      usageMetadata: {
        promptTokenCount: 70,
        candidatesTokenCount: 31,
        thoughtsTokenCount: 175,
        toolUsePromptTokenCount: 390,
        totalTokenCount: 666,
      },
    }),
  )
  assert.deepEqual([usage?.inputTokens, usage?.outputTokens], [460, 206])
  assert.equal(geminiDialect.parseUsage('{}'), undefined)
})
