import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providersOf } from '../../test/support/preset-facts.ts'

test('SET-1 openai is one preset, data only, with its key in OPENAI_API_KEY', () => {
  assert.deepEqual(providersOf('openai'), [
    {
      flavor: 'openai',
      presets: [
        {
          name: 'openai',
          apiBase: 'https://api.openai.com/v1',
          defaultModel: 'gpt-4.1',
          requiresKey: true,
          keyEnv: ['OPENAI_API_KEY'],
        },
      ],
    },
  ])
})
