import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { systemClock } from '../../host/base/clock.ts'
import { agentOptions } from '../../host/cli/open-app.ts'
import { createFakeApps } from '../support/fake-app.ts'
import { createFakeIo } from '../support/fake-io.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const REQUEST = { tool: 'bash', plugin: 'tool_bash', summary: 'rm', arguments: {}, scopes: [] }

/** What comes of a question under some settings, and whether anybody was asked. */
async function ask(t: TestContext, config: unknown, yes = false) {
  const home = temporaryFolder(t)
  mkdirSync(join(home, 'config'))
  writeFileSync(join(home, 'config', 'config.json'), JSON.stringify(config))
  let asked = 0
  const { approver, approvalTimeoutMs } = await agentOptions(
    {
      io: createFakeIo({ env: { AMBER_HOME: home } }),
      clock: systemClock,
      installation: { folder: '/', version: '1' },
      createApp: createFakeApps().create,
      global: { plugin: [], without: [], plugins: true, session: true, yes },
    },
    {
      async approver() {
        asked += 1
        return 'once'
      },
    },
  )
  return [await approver?.(REQUEST, new AbortController().signal), asked, approvalTimeoutMs]
}

test('SAFE-2 /set policy approval deny: what would be asked is refused, and nobody is asked', async (t) => {
  assert.deepEqual(await ask(t, {}), ['once', 1, undefined])
  assert.deepEqual(await ask(t, { approval: { questions: 'ask', timeoutSeconds: 5 } }), ['once', 1, 5000])
  assert.deepEqual(await ask(t, { approval: { questions: 'deny' } }), ['deny', 0, undefined])
  assert.deepEqual(
    await ask(t, { approval: { questions: 'deny' } }, true),
    ['once', 0, undefined],
    '--yes wins',
  )
})
