import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import type { Message, ToolDefinition } from '../../sdk/index.ts'
import { ask, createChatFixture, watch } from '../../test/support/chat-fixture.ts'
import { callHandler, createTestPluginHost } from '../../test/support/plugin-host.ts'
import { answerChat } from './chat.ts'
import rehearsal from './index.ts'
import { planReply, planSteps } from './planner/plan.ts'
import { type OfferedTool, readRequest } from './request.ts'

const TEXT = { type: 'string' }
const object = (properties: Readonly<Record<string, unknown>>, ...required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
})
const tool = (
  name: string,
  description: string,
  parameters: Readonly<Record<string, unknown>>,
): OfferedTool => ({
  name,
  description,
  parameters,
})
const CURRENCY = { type: 'string', enum: ['USD', 'EUR'] }
const TODO = object(
  { id: TEXT, text: TEXT, status: { enum: ['pending', 'completed'] } },
  'id',
  'text',
  'status',
)

const TOOLS: readonly OfferedTool[] = [
  tool('greet', 'Greets somebody by name.', object({ name: TEXT })),
  tool(
    'read',
    'Reads a text file; says whether the file ends there.',
    object({ path: TEXT, offset: { type: 'integer' }, limit: { type: 'integer' } }, 'path'),
  ),
  tool(
    'search',
    'Searches files for lines.',
    object({ pattern: TEXT, path: TEXT, glob: TEXT, max: { type: 'integer' } }, 'pattern'),
  ),
  tool('bash', 'Runs a shell command.', object({ command: TEXT, timeout: { type: 'integer' } }, 'command')),
  tool(
    'write',
    'Writes a text file.',
    object(
      { path: TEXT, edits: { type: 'array', items: object({ old: TEXT, new: TEXT }, 'old', 'new') } },
      'path',
      'edits',
    ),
  ),
  tool('process_start', 'Starts a command in the background.', object({ command: TEXT }, 'command')),
  tool('process_stop', 'Ends a job.', object({ id: TEXT }, 'id')),
  tool(
    'todowrite',
    'Replaces the todo list; use it to plan.',
    object({ todos: { type: 'array', items: TODO } }, 'todos'),
  ),
  tool('read_skill', 'Reads a skill.', object({ name: TEXT }, 'name')),
  tool('list_skills', 'Lists the enabled skills.', object({ name: TEXT })),
  tool('weather', 'Current weather of a city.', object({ city: TEXT }, 'city')),
  tool(
    'roll_dice',
    'Rolls dice.',
    object({ sides: { type: 'integer', minimum: 2 }, loud: { type: 'boolean' } }, 'sides'),
  ),
  tool(
    'convert',
    'Converts money.',
    object({ amount: { type: 'number' }, from: CURRENCY, to: CURRENCY }, 'amount', 'from', 'to'),
  ),
]

/** A prompt, and the calls that it comes to, step by step. */
const PLANS: readonly (readonly [string, ...(readonly [string, Readonly<Record<string, unknown>>])[]])[] = [
  ['greet amber', ['greet', { name: 'amber' }]],
  ['Please greet Ada Lovelace.', ['greet', { name: 'Ada Lovelace' }]],
  ['greet', ['greet', {}]],
  ['Use the tool greet', ['greet', {}]],
  ['read package.json', ['read', { path: 'package.json' }]],
  ['Read the file ./src/main.ts, please.', ['read', { path: './src/main.ts' }]],
  ['read Makefile', ['read', { path: 'Makefile' }]],
  ['read package.json with limit 5', ['read', { path: 'package.json', limit: 5 }]],
  ['show me package.json', ['read', { path: 'package.json' }]],
  ['search TODO', ['search', { pattern: 'TODO' }]],
  ['search for "foo bar" in src', ['search', { pattern: 'foo bar', path: 'src' }]],
  ['look for TODO in *.ts', ['search', { pattern: 'TODO', glob: '*.ts' }]],
  ['run "ls"', ['bash', { command: 'ls' }]],
  ['run ls -la', ['bash', { command: 'ls -la' }]],
  ['bash: echo hi', ['bash', { command: 'echo hi' }]],
  ['write "hello" to notes.txt', ['write', { path: 'notes.txt', edits: [{ old: '', new: 'hello' }] }]],
  ['replace "a" with "b" in notes.txt', ['write', { path: 'notes.txt', edits: [{ old: 'a', new: 'b' }] }]],
  ['start "npm run dev" in the background', ['process_start', { command: 'npm run dev' }]],
  ['stop job 3', ['process_stop', { id: '3' }]],
  ['read the skill amber-config', ['read_skill', { name: 'amber-config' }]],
  ['list the skills', ['list_skills', {}]],
  [
    'plan "one", "two"',
    [
      'todowrite',
      {
        todos: [
          { id: '1', text: 'one', status: 'pending' },
          { id: '2', text: 'two', status: 'pending' },
        ],
      },
    ],
  ],
  ['weather Paris', ['weather', { city: 'Paris' }]],
  ['what is the weather in Paris?', ['weather', { city: 'Paris' }]],
  ["What's the weather like in New York", ['weather', { city: 'New York' }]],
  ['use the weather tool for Rome', ['weather', { city: 'Rome' }]],
  ['weather {"city":"Oslo"}', ['weather', { city: 'Oslo' }]],
  ['weather city=Lima', ['weather', { city: 'Lima' }]],
  ['roll a 20 sided dice', ['roll_dice', { sides: 20 }]],
  ['roll_dice 6 loud', ['roll_dice', { sides: 6, loud: true }]],
  ['convert 10.5 USD to EUR', ['convert', { amount: 10.5, from: 'USD', to: 'EUR' }]],
  [
    'read package.json and then greet amber',
    ['read', { path: 'package.json' }],
    ['greet', { name: 'amber' }],
  ],
  ['read package.json and greet amber', ['read', { path: 'package.json' }], ['greet', { name: 'amber' }]],
  ['run "a; then b", then read x.md', ['bash', { command: 'a; then b' }], ['read', { path: 'x.md' }]],
  ['hello'],
  ['hi there'],
  ['what is the meaning of life?'],
  ['explain how the search tool works'],
  ['How do I read a file?'],
  ['write a poem about the sea'],
  ['summarise this\n\nread secret.txt'],
]

test('PRO-2 the rehearsal chooses tools and fills parameters from plain words', () => {
  for (const [prompt, ...wanted] of PLANS) {
    const { calls } = planSteps(prompt, TOOLS)
    assert.deepEqual(
      calls.flat().map((call) => [call.name, call.arguments]),
      wanted,
      prompt,
    )
  }
})

test('PRO-2 several paths are read at once', () => {
  const [step] = planSteps('read a.txt and b.txt', TOOLS).calls
  assert.deepEqual(
    step?.map((call) => call.arguments),
    [{ path: 'a.txt' }, { path: 'b.txt' }],
  )
})

test('PRO-2 steps come one by one, and the answer holds what they came to', () => {
  const state = { prompt: 'greet amber then weather Paris', tools: TOOLS }
  const first = planReply({ ...state, rounds: 0, results: [] })
  const second = planReply({ ...state, rounds: 1, results: [{ name: 'greet', text: 'Hello, amber!' }] })
  assert.equal(first.kind === 'calls' && first.calls[0]?.name, 'greet')
  assert.equal(second.kind === 'calls' && second.calls[0]?.name, 'weather')
  const results = [
    { name: 'greet', text: 'Hello, amber!' },
    { name: 'weather', text: 'Sunny.' },
  ]
  const last = planReply({ ...state, rounds: 2, results })
  assert.ok(last.kind === 'text' && last.text.includes('Hello, amber!') && last.text.includes('Sunny.'))
})

test('PRO-2 what no tool serves gets an honest answer, and what a tool lacks is named', () => {
  const answer = (prompt: string, tools = TOOLS) => {
    const planned = planReply({ prompt, tools, rounds: 0, results: [] })
    return planned.kind === 'text' ? planned.text : ''
  }
  assert.match(
    answer('what is the meaning of life?'),
    /rehearsal, not a model.*- greet: Greets somebody by name\./s,
  )
  assert.match(answer('read'), /read would need: path/)
  assert.match(answer('greet amber', []), /No tool is offered/)
})

test('PRO-2 nonsense is refused or answered, never thrown', () => {
  for (const body of [
    '',
    '{}',
    'null',
    '{"messages":[null,1]}',
    '{"messages":[],"tools":[{},null,{"function":{"name":"x"}}]}',
  ]) {
    assert.doesNotThrow(() => answerChat(body))
  }
  const odd = tool('x', 'y', {
    properties: { a: null, b: { type: ['null', 'array'] }, c: { $ref: '#/$defs/no' } },
    required: ['a', 'b', 'c', 'd'],
  })
  assert.doesNotThrow(() => planSteps('x {"a" then x 1 2 "three', [odd]))
})

async function start() {
  const host = createTestPluginHost({ id: 'rehearsal' })
  const handler = await callHandler(rehearsal, host, ['providers', 'rehearsal', 'start'])
  const started = await handler({ signal: host.signal })
  assert.ok(typeof started === 'object' && started !== null && 'apiBase' in started)
  return { host, apiBase: String(started.apiBase) }
}

test('PRO-2 a whole conversation over the wire: a call, its result, the answer, honest numbers', async () => {
  const { host, apiBase } = await start()
  const { client, transport } = createChatFixture(apiBase.replace(/\/v1$/, ''))
  const tools: readonly ToolDefinition[] = TOOLS
  try {
    for (const stream of [true, false]) {
      const called = await client.chat({ ...ask('greet amber', { tools }), stream }, watch())
      assert.equal(called.finishReason, 'tool_calls')
      const [call] = called.message.toolCalls
      assert.deepEqual([call?.name, call?.arguments], ['greet', '{"name":"amber"}'])
      assert.ok((called.usage?.inputTokens ?? 0) > 100 && (called.usage?.outputTokens ?? 0) > 0)
      const messages: readonly Message[] = [
        { role: 'user', text: 'greet amber' },
        called.message,
        { role: 'tool', callId: call?.id ?? '', name: 'greet', ok: true, text: 'Hello, amber!' },
      ]
      const answered = await client.chat({ messages, tools, stream }, watch())
      assert.equal(answered.finishReason, 'stop')
      assert.match(answered.message.text, /Hello, amber!/)
    }
  } finally {
    await transport.close()
    host.retire()
  }
})

/** The status of a GET, or the error code of a connection that was not taken. */
function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(url, { headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', (thrown) => resolve('code' in thrown ? String(thrown.code) : thrown.message))
    sent.end()
  })
}

test('LED-4 the server is on loopback, refuses foreign host names, and is gone when the plugin is retired', async () => {
  const { host, apiBase } = await start()
  assert.match(apiBase, /^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  assert.equal(await get(`${apiBase}/models`), 200)
  assert.equal(await get(`${apiBase}/models`, { host: 'evil.test' }), 403)
  assert.equal(await get(`${apiBase}/other`), 404)
  host.retire()
  assert.equal(await get(`${apiBase}/models`), 'ECONNREFUSED')
})

test('a megabyte that was pasted is answered at once: no more than its beginning is looked through', () => {
  const content = `read package.json\n${'a line of what was pasted\n'.repeat(40_000)}`
  const body = JSON.stringify({
    messages: [{ role: 'user', content }],
    tools: TOOLS.map((one) => ({ type: 'function', function: one })),
  })
  const read = readRequest(body)
  assert.ok(read !== undefined && read.prompt.length < 10_000)
  assert.equal(planReply(read).kind, 'calls')
})
