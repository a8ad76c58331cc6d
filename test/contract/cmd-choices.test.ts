import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { systemClock } from '../../host/base/clock.ts'
import type { NextModel } from '../../host/cli/continue-with.ts'
import { bindChoices } from '../../host/cli/conversation-choices.ts'
import { coreTree } from '../../manifests/core-tree.ts'
import { createAgentFixture } from '../support/agent-fixture.ts'
import { createFakeApps } from '../support/fake-app.ts'
import { createFakeIo } from '../support/fake-io.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** An open conversation with its commands, under some options of the command line. */
async function conversationOf(t: TestContext, global: { readonly provider?: string } = {}) {
  const home = temporaryFolder(t)
  const apps = createFakeApps({ core: coreTree() })
  const context = {
    io: createFakeIo({ env: { AMBER_HOME: home } }),
    clock: systemClock,
    installation: { folder: '/', version: '1' },
    createApp: apps.create,
    global: { plugin: [], without: [], plugins: true, session: true, ...global },
  }
  const paths = { config: home, state: home, cache: home, workspace: home, installation: '/' }
  const app = await apps.create({
    paths,
    env: {},
    pluginFlags: [],
    without: [],
    noPlugins: true,
    clock: systemClock,
    onNotice() {},
  })
  let hear: (key: string) => boolean | Promise<boolean> = () => false
  let busy = false
  const used: NextModel[] = []
  let { agent } = createAgentFixture({ steps: [{ text: 'hello' }] })
  bindChoices(
    {
      ...app,
      onSetting(handler) {
        hear = handler
        return () => {}
      },
    },
    context,
    {
      agent: () => agent,
      options: () => ({}),
      promptTokens: () => 500,
      isBusy: () => busy,
      async use(choice) {
        used.push(choice)
        agent = { ...agent, provider: choice.provider ?? agent.provider, model: choice.model ?? agent.model }
        return agent
      },
    },
  )
  const config = () => JSON.parse(readFileSync(join(home, 'config', 'config.json'), 'utf8'))
  return {
    run: async (line: string) => (await app.runCommand(line)).text,
    hear: (key: string) => hear(key),
    setBusy(is: boolean) {
      busy = is
    },
    used,
    config,
  }
}

test('bundled-plugins 8: /set model and /set provider hold at once and for later conversations', async (t) => {
  const { run, used, config } = await conversationOf(t)
  assert.match(await run('set model big-1'), /goes on with scripted · big-1, and later ones begin with it/)
  assert.deepEqual(config(), { model: 'big-1', provider: 'scripted' })
  await run('set provider acme')
  assert.deepEqual(used, [{ model: 'big-1' }, { provider: 'acme' }])
  assert.deepEqual(config(), { provider: 'acme' }, 'a model of another provider goes')
  assert.equal(await run('get provider'), 'acme · big-1')
  assert.match(await run('set model'), /Nothing was named/)
})

test('/set provider in a run that was told what to use holds for that run alone', async (t) => {
  const { run, config } = await conversationOf(t, { provider: 'scripted' })
  assert.equal(await run('set provider acme'), 'This conversation goes on with acme · script-1.')
  assert.throws(config, /ENOENT/)
})

test('a setting of conversations holds at once where no turn runs; nothing changes under a turn', async (t) => {
  const { run, hear, setBusy, used } = await conversationOf(t)
  assert.equal(await hear('reasoningEffort'), true)
  assert.equal(await hear('approval.questions'), true)
  assert.equal(await hear('display.ascii'), false)
  setBusy(true)
  assert.equal(await hear('compression.threshold'), false)
  assert.match(await run('set model big-1'), /A turn is running/)
  assert.deepEqual(used, [{}, {}])
})
