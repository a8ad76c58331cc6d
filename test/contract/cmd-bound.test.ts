import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { App } from '../../host/app/app.ts'
import { createApp } from '../../host/app/create-app.ts'
import { systemClock } from '../../host/base/clock.ts'
import { bindChatCommands } from '../../host/cli/chat-commands.ts'
import { bindChoices } from '../../host/cli/conversation-choices.ts'
import { bindLineCommands } from '../../host/cli/line-commands.ts'
import { bindScreenCommands } from '../../host/cli/screen/commands.ts'
import * as tui from '../../host/tui/index.ts'
import type { CommandNode } from '../../manifests/command-node.ts'
import { coreTree } from '../../manifests/core-tree.ts'
import { createAgentFixture } from '../support/agent-fixture.ts'
import { atEnd } from '../support/at-end.ts'
import { createFakeIo } from '../support/fake-io.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testApp } from '../support/test-app.ts'
import { openTestScreen } from '../support/test-screen.ts'

/** The commands that have nothing below them: those that somebody must carry out. */
function leaves(nodes: Readonly<Record<string, CommandNode>>, before = ''): readonly string[] {
  return Object.entries(nodes).flatMap(([name, { children }]) => {
    const path = before === '' ? name : `${before}.${name}`
    return children === undefined ? [path] : leaves(children, path)
  })
}

/** A whole amber without plugins, and the paths that are bound to it from outside. */
async function amberWith(t: TestContext) {
  const home = temporaryFolder(t)
  const app = await testApp(t, { home, activate: false })
  const bound = new Set<string>()
  const recording: App = {
    ...app,
    bindCommand(path, handler) {
      bound.add(path)
      return app.bindCommand(path, handler)
    },
  }
  const context = {
    io: createFakeIo({ env: { AMBER_HOME: home } }),
    clock: systemClock,
    installation: { folder: '/', version: '1' },
    createApp,
    global: { plugin: [], without: [], plugins: true, session: true },
  }
  const { agent } = createAgentFixture({ steps: [{ text: 'hello' }] })
  const nothing = async () => ''
  const sessions = { load: nothing, fork: nothing, save: nothing, rename: () => {} }
  return { app: recording, bound, context, agent: { ...agent, sessions } }
}

const UNBOUND = /belongs to an open conversation|Nothing is bound/

test('bundled-plugins 8: without a conversation each command works, or says that it needs one', async (t) => {
  const { app } = await amberWith(t)
  const unbound: string[] = []
  for (const path of leaves(coreTree()))
    if (UNBOUND.test((await app.runCommand(path.replaceAll(/\.(?=[a-z_]+(\.|$))/g, ' '))).text))
      unbound.push(path)
  assert.deepEqual(unbound, [
    'new',
    'close',
    'stop',
    'compress',
    'save',
    'quit',
    'window.new',
    'window.close',
    'window.list',
    'window.rename',
    'session.save',
    'session.load',
    'session.rename',
    'session.fork',
    'panel',
  ])
})

test('bundled-plugins 8: in the screen, and line by line, every command is bound', async (t) => {
  const screen = await amberWith(t)
  const shown = await openTestScreen()
  atEnd(t, () => shown.close())
  const { agent, context } = screen
  const { io } = context
  const terminal = io.terminal ?? { input: io.input, output: process.stdout }
  const parts = {
    app: screen.app,
    context: { ...context, terminal },
    screen: shown.screen,
    tui,
    place: '~',
    leave() {},
  }
  let changed = () => {}
  const { dispose } = bindScreenCommands(parts, {
    current: () => agent,
    openFirst: async () => agent,
    open: async () => shown.conversation,
    use: async () => agent,
    options: () => ({}),
    showStored() {},
    close() {},
    onChange: (handler) => {
      changed = handler
    },
  })
  changed()
  const lines = await amberWith(t)
  bindChatCommands(lines.app, lines.agent, {
    leave() {},
    undo: { show() {}, confirm: async () => false, taken: () => '' },
  })
  bindLineCommands(lines.app, { leave() {}, width: () => 80 })
  bindChoices(lines.app, lines.context, {
    agent: () => lines.agent,
    options: () => ({}),
    promptTokens: () => undefined,
    isBusy: () => false,
    use: async () => lines.agent,
  })
  const alone = await amberWith(t)
  const works = async (path: string) =>
    !UNBOUND.test((await alone.app.runCommand(path.replaceAll(/\.(?=[a-z_]+(\.|$))/g, ' '))).text)
  for (const path of leaves(coreTree())) {
    if (await works(path)) continue
    assert.ok(screen.bound.has(path), `the screen lacks /${path}`)
    assert.ok(lines.bound.has(path), `the lines lack /${path}`)
  }
  dispose()
})
