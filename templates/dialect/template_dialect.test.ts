import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDialect, createTestHost } from 'amber-agent/sdk/testing'
import { dialect } from './dialect.ts'

test('the dialect keeps what amber promises of one', () => {
  checkDialect(dialect, [
    {
      name: 'a greeting with a call, streamed',
      body: [
        'data: {"say":"Hello ☀"}',
        'data: {"call":{"id":"c1","tool":"greet","args":{"name":"amber"}}}',
        'data: {"end":"stop","tokens":[7,3]}',
        '',
      ].join('\n\n'),
      expected: {
        text: 'Hello ☀',
        finishReason: 'stop',
        status: 'complete',
        toolCalls: [{ id: 'c1', name: 'greet', arguments: { name: 'amber' } }],
        usage: { inputTokens: 7, outputTokens: 3 },
      },
    },
    {
      name: 'a greeting, whole',
      body: '{"parts":[{"say":"Hello"},{"end":"stop"}]}',
      buffered: true,
      expected: { text: 'Hello', finishReason: 'stop', status: 'complete' },
    },
  ])
})

test('the provider is there, with its own protocol', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  const [preset] = host.providers()
  assert.deepEqual([preset?.name, preset?.flavor], ['template_dialect', 'template_dialect'])
})

test('nothing is left when the plugin is removed', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  await host.assertCleanRemoval()
})
