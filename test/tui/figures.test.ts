import assert from 'node:assert/strict'
import test from 'node:test'
import { createSubagents } from '../../host/agent/subagents.ts'
import type { ToolCall } from '../../sdk/index.ts'
import { createAgentFixture } from '../support/agent-fixture.ts'
import { handMadeTool, toolMap } from '../support/hand-made.ts'
import type { Reply } from '../support/scripted-client.ts'
import { openTestScreen } from '../support/test-screen.ts'

const usage = (inputTokens: number, outputTokens: number): Reply['usage'] => ({
  inputTokens,
  outputTokens,
  wire: {},
})

/** An agent that asks a sub-agent, whose answer costs far more than its own. */
function delegating(name: string) {
  const subagents = createSubagents({ parallel: async () => undefined })
  const task = handMadeTool(
    'task',
    async (_args, call: ToolCall) => {
      const answer = await subagents.service.run(
        { prompt: 'look around', conversation: call.conversation, call: call.id },
        { signal: call.signal, progress() {} },
      )
      return { ok: answer.ok, output: answer.ok ? answer.text : answer.error }
    },
    { requires: ['subagents'] },
  )
  return createAgentFixture({
    steps: [
      ({ messages }) => {
        if (messages.some(({ text }) => text === 'look around'))
          return { text: 'seen', usage: usage(9000, 800) }
        return messages.some(({ role }) => role === 'tool')
          ? { text: 'done', usage: usage(120, 12) }
          : { calls: [['task', {}]], usage: usage(100, 10) }
      },
    ],
    snapshot: { tools: toolMap(task) },
    deps: { subagents, conversation: () => name },
    window: 1000,
  })
}

test('STA-4 the figures of the bar are those of its own window, and no sub-agent counts for them', async () => {
  const shown = await openTestScreen({ width: 120 })
  const first = delegating('one')
  const second = createAgentFixture({ steps: [{ text: 'hello', usage: usage(500, 5) }], window: 1000 })
  shown.conversation.agent = { ...first.agent, contextWindow: () => 1000 }
  const other = shown.screen.addConversation('2', { ...second.agent, contextWindow: () => 1000 })
  other.submit('hi')
  shown.conversation.submit('go')
  await Promise.all([other.idle(), shown.conversation.idle()])
  assert.deepEqual(
    [shown.conversation.figures, other.figures].map(({ promptTokens, completionTokens }) => [
      promptTokens,
      completionTokens,
    ]),
    [
      [120, 12],
      [500, 5],
    ],
  )
  assert.match(await shown.text(), /\[2\/2\].*↑500 ↓5 .*50%/)
  shown.press('\x1b1')
  assert.match(await shown.text(), /\[1\/2\].*↑120 ↓12 .*12%/)
  await shown.close()
})
