import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providersOf } from '../../test/support/preset-facts.ts'

test('SET-1 the local servers are presets on loopback, without keys', () => {
  const preset = (name: string, port: number) => ({
    name,
    apiBase: `http://127.0.0.1:${port}/v1`,
    requiresKey: false,
  })
  assert.deepEqual(providersOf('local'), [
    {
      flavor: 'openai',
      presets: [
        preset('ollama', 11434),
        preset('llamacpp', 8080),
        preset('lmstudio', 1234),
        preset('vllm', 8000),
      ],
    },
  ])
})
