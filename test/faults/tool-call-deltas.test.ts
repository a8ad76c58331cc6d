import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseOpenAiCompletion } from '../../host/llm/openai/completion.ts'
import { sealCompletion, stopsInTheMiddle } from '../../host/llm/tool-calls.ts'
import type { Completion, Message, ToolCallRequest } from '../../sdk/index.ts'
import { decodeOpenAi, delta } from '../support/openai-decode.ts'

interface Piece {
  readonly index?: number
  readonly id?: string | null
  readonly name?: string | null
  readonly args?: unknown
}

function piece({ index, id, name, args }: Piece): unknown {
  return {
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id }),
    function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
  }
}

/** The calls that deltas come to; each inner list is one delta. */
function calls(deltas: readonly (readonly Piece[])[], finish = 'tool_calls'): readonly ToolCallRequest[] {
  return decode(deltas, finish).message.toolCalls
}

function decode(
  deltas: readonly (readonly Piece[])[],
  finish = 'tool_calls',
  conversation: readonly Message[] = [],
): Completion {
  const events = deltas.map((pieces) => delta({ tool_calls: pieces.map(piece) }))
  return decodeOpenAi([...events, delta({}, finish)], conversation).completion
}

const names = (found: readonly ToolCallRequest[]) => found.map(({ name }) => name)
const args = (found: readonly ToolCallRequest[]) => found.map((call) => call.arguments)

test('D1 a call without index is a call', () => {
  assert.deepEqual(calls([[{ id: 'a', name: 'read', args: '{"p":1}' }]]), [
    { id: 'a', name: 'read', arguments: '{"p":1}' },
  ])
})

test('D2 two calls without index in one delta are two calls', () => {
  const both = [
    { id: 'a', name: 'read', args: '{"p":1}' },
    { id: 'b', name: 'read', args: '{"p":2}' },
  ]
  assert.deepEqual(args(calls([both])), ['{"p":1}', '{"p":2}'])
  const nameless = both.map(({ name, args: text }) => ({ name, args: text }))
  assert.deepEqual(args(calls([nameless])), ['{"p":1}', '{"p":2}'])
})

test('D2 two calls that both say index 0 are two calls', () => {
  const found = calls([
    [{ index: 0, id: 'a', name: 'read', args: '{"p":1}' }],
    [{ index: 0, id: 'b', name: 'read', args: '{"p":2}' }],
    [{ index: 0, id: 'c', name: 'write', args: '' }],
  ])
  assert.deepEqual(
    found.map(({ id }) => id),
    ['a', 'b', 'c'],
  )
})

test('D4 an empty or null name later erases nothing', () => {
  for (const name of ['', null]) {
    assert.deepEqual(
      names(calls([[{ index: 0, id: 'a', name: 'read' }], [{ index: 0, name, args: '{}' }]])),
      ['read'],
    )
  }
})

test('D5 a name that comes after the first arguments names the call', () => {
  const found = calls([
    [{ index: 0, id: 'a', name: '' }],
    [{ index: 0, args: '{"p":1}' }],
    [{ index: 0, name: 'read' }],
  ])
  assert.deepEqual(found, [{ id: 'a', name: 'read', arguments: '{"p":1}' }])
})

test('D6 a name repeated in every piece is one name', () => {
  const same = { index: 0, id: 'a', name: 'read_file' }
  assert.deepEqual(
    calls([[{ ...same, args: '{"p"' }], [{ ...same, args: ':1' }], [{ ...same, args: '}' }]]),
    [{ id: 'a', name: 'read_file', arguments: '{"p":1}' }],
  )
  const noIndex = { name: 'read_file' }
  assert.deepEqual(args(calls([[{ ...noIndex, args: '{"p"' }], [{ ...noIndex, args: ':1}' }]])), ['{"p":1}'])
})

test('D6 an id made anew for every piece is one call', () => {
  const found = calls([
    [{ index: 0, id: 'a', name: 'read', args: '' }],
    [{ index: 0, id: 'b', args: '{"p"' }],
    [{ index: 0, id: 'c', args: ':1}' }],
  ])
  assert.deepEqual(found, [{ id: 'a', name: 'read', arguments: '{"p":1}' }])
})

test('D9 calls that begin before any has its arguments keep them apart', () => {
  const found = calls([
    [{ index: 0, id: 'a', name: 'one' }],
    [{ index: 1, id: 'b', name: 'two' }],
    [{ index: 0, args: '{"p":1}' }],
    [{ index: 1, args: '{"p":2}' }],
  ])
  assert.deepEqual(args(found), ['{"p":1}', '{"p":2}'])
})

test('D10 arguments with something behind their end are the model’s mistake, not a cut', () => {
  const completion = decode([[{ index: 0, id: 'a', name: 'read', args: '{"p":1}}' }]])
  assert.equal(completion.status, 'complete')
  assert.deepEqual(args(completion.message.toolCalls), ['{"p":1}}'])
})

test('D12 arguments that never come, or come as null or as an object, are arguments', () => {
  assert.deepEqual(args(calls([[{ index: 0, id: 'a', name: 'now' }]])), [''])
  assert.deepEqual(args(calls([[{ index: 0, id: 'a', name: 'now', args: null }]])), [''])
  assert.deepEqual(args(calls([[{ index: 0, id: 'a', name: 'now', args: { p: 1 } }]])), ['{"p":1}'])
  assert.deepEqual(
    args(calls([[{ index: 0, id: 'a', name: 'now', args: '{}' }], [{ index: 0, args: '{"p":1}' }]])),
    ['{"p":1}'],
  )
})

test('P5 three calls of one tool in chunks of their own are three', () => {
  const one = (city: string) => [{ name: 'get_weather', args: JSON.stringify({ city }) }]
  const found = calls([one('Oslo'), one('Rome'), one('Lima')])
  assert.equal(new Set(found.map(({ id }) => id)).size, 3)
  assert.deepEqual(args(found), ['{"city":"Oslo"}', '{"city":"Rome"}', '{"city":"Lima"}'])
})

test('PRO-9 a missing id is made and a repeated one made new, unique in the conversation', () => {
  const earlier: Message = {
    role: 'assistant',
    text: '',
    toolCalls: [{ id: '0', name: 'read', arguments: '{}' }],
  }
  const made = decode([[{ index: 0, name: 'read' }], [{ index: 1, id: '0', name: 'read' }]], 'tool_calls', [
    earlier,
  ])
  const ids = made.message.toolCalls.map(({ id }) => id)
  assert.equal(new Set([...ids, '0', '']).size, 4)
})

test('PRO-9 nameless and placeholder calls are dropped', () => {
  assert.deepEqual(
    names(
      calls([
        [{ index: 0, id: 'a', args: '{}' }],
        [{ index: 1, id: 'b', name: 'null' }],
        [{ index: 2, id: 'c', name: 'read' }],
      ]),
    ),
    ['read'],
  )
})

test('PRO-9 buffered and streamed calls come out the same', () => {
  const wire = [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"p":1}' } }]
  const buffered = parseOpenAiCompletion(
    JSON.stringify({
      choices: [{ message: { content: null, tool_calls: wire }, finish_reason: 'tool_calls' }],
    }),
    { messages: [], tools: [], stream: false },
  )
  assert.deepEqual(
    buffered.message.toolCalls,
    calls([[{ index: 0, id: 'a', name: 'read', args: '{"p":1}' }]]),
  )
})

test('PRO-10 a call that is cut never runs, and makes the reply incomplete', () => {
  const completion = decode([[{ index: 0, id: 'a', name: 'write', args: '{"path": "x' }]], 'length')
  assert.equal(completion.status, 'incomplete')
  assert.deepEqual(completion.message.toolCalls, [])
  assert.equal(completion.cutCalls?.[0]?.name, 'write')
  assert.equal(decode([[{ index: 0, id: 'a', name: 'write', args: '{"path": "x' }]]).status, 'incomplete')
})

test('PRO-10 a call whose arguments the limit never let begin is marked, so that it is not run', () => {
  const completion = decode([[{ index: 0, id: 'a', name: 'write', args: '' }]], 'length')
  assert.equal(completion.message.toolCalls[0]?.cut, true)
  assert.equal(decode([[{ index: 0, id: 'a', name: 'now', args: '' }]]).message.toolCalls[0]?.cut, undefined)
})

test('PRO-10 no call of a reply that never ended runs, whole or not', () => {
  const event = delta({ tool_calls: [piece({ index: 0, id: 'a', name: 'read', args: '{}' })] })
  const { completion } = decodeOpenAi([event])
  assert.deepEqual(completion.message.toolCalls, [])
  assert.equal(completion.cutCalls?.length, 1)
  assert.deepEqual(sealCompletion(completion, []), completion)
})

test('PRO-10 what stops in the middle of JSON is told from what is wrong', () => {
  for (const cut of ['{', '{"a', '{"a":', '{"a":"b\\"', '[1,{"a":2}', '{"a":{}'])
    assert.ok(stopsInTheMiddle(cut), cut)
  for (const wrong of ['{}', '{"a":1}}', 'path', '}', '"a"', '']) assert.ok(!stopsInTheMiddle(wrong), wrong)
})
