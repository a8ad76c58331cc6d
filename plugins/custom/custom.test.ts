import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providersOf } from '../../test/support/preset-facts.ts'

test('SET-1 custom leaves address and model to the user and asks for no key', () => {
  assert.deepEqual(providersOf('custom'), [
    { flavor: 'openai', presets: [{ name: 'custom', apiBase: '', defaultModel: '', requiresKey: false }] },
  ])
})
