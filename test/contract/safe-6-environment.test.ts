import assert from 'node:assert/strict'
import { test } from 'node:test'
import { childEnvironment } from '../../host/workspace/process/environment.ts'
import { createShellFixture } from '../support/shell-fixture.ts'

test('SAFE-6 a child has none of amber’s keys, under whatever name their values stand', async (t) => {
  const keys = {
    AMBER_API_KEY: 'sk-amber-12345678',
    OPENAI_API_KEY: 'sk-openai-12345678',
    ANTHROPIC_APIKEY: 'sk-ant-12345678',
    ACME_SECRET: 'named-by-a-preset',
    MY_COPY: 'sk-openai-12345678',
  }
  const { run } = await createShellFixture(t, {}, () => ({
    ...keys,
    HARMLESS: 'kept',
    GH_TOKEN: 'of-the-user',
  }))
  for (const command of [
    'env',
    'printenv',
    'export -p',
    'cat /proc/self/environ',
    'cat /proc/$PPID/environ',
  ]) {
    const { output } = await run(command)
    for (const [name, value] of Object.entries(keys)) {
      assert.equal(output.includes(value), false, `${command} shows ${name}`)
      assert.equal(output.includes(`${name}=`), false, `${command} shows ${name}`)
    }
    if (command === 'env') assert.match(output, /HARMLESS=kept/)
  }
})

test('SAFE-6 a short value is no key that other variables could be cleared by', () => {
  const env = childEnvironment({ X_API_KEY: 'x', LANG: 'x', PATH: '/bin' }, [])
  assert.equal(env.LANG, 'x')
  assert.equal(env.X_API_KEY, undefined)
  assert.equal(env.GIT_TERMINAL_PROMPT, '0')
})
