import { isDeepStrictEqual } from 'node:util'
import type { ChatRequest, Dialect, DialectConfig } from '../../../sdk/index.ts'
import { messageOf } from '../../base/errors.ts'
import { ANY_REQUEST } from './decode.ts'

/** Something that a key looks like, and that stands nowhere by chance. */
const KEY = 'sk-conformance-0123456789'

/** What a server, a proxy or a cut connection may answer in place of what was asked for. */
const NONSENSE: readonly string[] = [
  '',
  ' ',
  'null',
  '0',
  '"text"',
  '[]',
  '[null]',
  '{}',
  '{"error":"no"}',
  '{"error":{"message":17}}',
  '{"data":[null,{"id":5}],"models":"x","choices":[null],"usage":[]}',
  '{"a":',
  '[DONE]',
  '<html><body>502 Bad Gateway</body></html>',
  '\ud800',
  '\0',
  `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
]

/** What a conversation holds: every role, calls and their results, system texts of every placement. */
function conversation(stream: boolean): ChatRequest {
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  return frozen({
    stream,
    tools: [{ name: 'weather', description: 'The weather of a city.', parameters }],
    messages: [
      { role: 'system', text: 'Answer briefly.', placement: 'system' },
      { role: 'system', text: 'Today is Monday.', placement: 'tail' },
      { role: 'user', text: 'How is the weather in Ghent?' },
      {
        role: 'assistant',
        text: '',
        reasoning: 'I look.',
        toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Ghent"}' }],
      },
      { role: 'tool', callId: 'call_1', name: 'weather', ok: true, text: 'Sunny.' },
      { role: 'user', text: 'Thanks ☀' },
    ],
  })
}

/** The laws that hold without a recording: pure, no throw on any input, no key where there is none. */
export function brokenLaws(dialect: Dialect, config: DialectConfig): readonly string[] {
  return [...neverThrows(dialect, config), ...isPure(dialect, config), ...keepsKeys(dialect, config)]
}

function neverThrows(dialect: Dialect, config: DialectConfig): readonly string[] {
  const calls: Readonly<Record<string, (text: string) => unknown>> = {
    parseCompletion: (text) => dialect.parseCompletion(text, ANY_REQUEST),
    parseModels: (text) => dialect.parseModels(text, config.model),
    parseModelList: (text) => dialect.parseModelList(text),
    parseUsage: (text) => dialect.parseUsage(text),
    isRetryable: (text) => [0, 200, 400, 429, 500, 999].map((status) => dialect.isRetryable(status, text)),
    contextOverflowHint: (text) => dialect.contextOverflowHint(text),
    'makeDecoder().push': (text) => {
      const decoder = dialect.makeDecoder(ANY_REQUEST, () => {})
      for (const event of [undefined, 'error', 'message', '\0']) decoder.push({ event, data: text })
      decoder.finish()
    },
  }
  return Object.entries(calls).flatMap(([name, call]) => {
    const thrown = NONSENSE.flatMap((text) => thrownBy(() => call(text)) ?? [])
    const [first] = thrown
    return first === undefined ? [] : [`PRO-7 ${name} throws on a body that is none: ${first}`]
  })
}

function isPure(dialect: Dialect, config: DialectConfig): readonly string[] {
  const problems: string[] = []
  for (const stream of [true, false]) {
    const what = `buildChatBody (${stream ? 'streaming' : 'whole'})`
    const thrown = thrownBy(() => {
      const first = JSON.stringify(dialect.buildChatBody(frozen({ ...config }), conversation(stream)))
      const second = JSON.stringify(dialect.buildChatBody(frozen({ ...config }), conversation(stream)))
      if (first !== second) problems.push(`PRM-3 ${what} gives other bytes for the same conversation`)
      for (const told of ['Ghent', 'Sunny.', 'Answer briefly.', 'Today is Monday.', 'Thanks ☀'])
        if (!first.includes(told)) problems.push(`PRO-7 ${what} leaves out ${JSON.stringify(told)}`)
    })
    if (thrown !== undefined) problems.push(`PRO-7 ${what} throws, or changes what it was given: ${thrown}`)
  }
  const url = dialect.chatUrl(config, true)
  if (!URL.canParse(url)) problems.push(`PRO-7 chatUrl gives no address: ${url}`)
  const models = dialect.modelsUrl(config)
  if (models !== '' && !URL.canParse(models)) problems.push(`PRO-7 modelsUrl gives no address: ${models}`)
  if (dialect.flavor === '') problems.push('PRO-3 the flavor is empty')
  return problems
}

/** PRO-13. */
function keepsKeys(dialect: Dialect, config: DialectConfig): readonly string[] {
  const keyed = { ...config, apiKey: KEY }
  const problems: string[] = []
  const withKey = dialect.authHeaders(keyed)
  const without = dialect.authHeaders({ ...config, apiKey: '' })
  const secret = Object.keys(withKey).filter((name) => withKey[name]?.includes(KEY))
  const kept = secret.filter((name) => Object.hasOwn(without, name))
  if (kept.length > 0) problems.push(`PRO-13 authHeaders makes ${kept.join(', ')} although there is no key`)
  for (const [what, url] of [
    ['chatUrl', dialect.chatUrl(keyed, true)],
    ['modelsUrl', dialect.modelsUrl(keyed)],
  ] as const)
    if (url.includes(KEY)) problems.push(`PRO-13 ${what} carries the key, which reaches logs: use a header`)
  if (JSON.stringify(dialect.buildChatBody(keyed, conversation(true))).includes(KEY))
    problems.push('PRO-13 buildChatBody carries the key')
  if (!isDeepStrictEqual(withKey, dialect.authHeaders(keyed))) problems.push('PRO-7 authHeaders is not pure')
  return problems
}

function thrownBy(run: () => unknown): string | undefined {
  try {
    run()
    return undefined
  } catch (thrown) {
    return messageOf(thrown)
  }
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) frozen(one)
  return Object.freeze(value)
}
