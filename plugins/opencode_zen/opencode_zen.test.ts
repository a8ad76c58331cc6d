import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providersOf } from '../../test/support/preset-facts.ts'

test('SET-1 WAL-6 opencode_zen is one preset, data only, with no account API', () => {
  assert.deepEqual(providersOf('opencode_zen'), [
    {
      flavor: 'openai',
      presets: [
        {
          name: 'opencode_zen',
          apiBase: 'https://opencode.ai/zen/v1',
          defaultModel: 'glm-5.2',
          requiresKey: true,
          keyEnv: ['OPENCODE_API_KEY'],
        },
      ],
    },
  ])
})
