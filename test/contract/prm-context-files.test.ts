import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createConversationServices } from '../../host/app/conversation-services.ts'
import { systemClock } from '../../host/base/clock.ts'
import { createConfigStore } from '../../host/base/config.ts'
import { contextText, findContextFiles } from '../../host/workspace/context-files.ts'
import { createWorkspaceService } from '../../host/workspace/workspace-service.ts'
import { handMadeSnapshot } from '../support/hand-made.ts'
import { createTempTree } from '../support/temp-tree.ts'

test('bundled-plugins 6: AGENTS.md from the repository’s root down to the workspace, the nearest last', async (t) => {
  const root = await createTempTree(t, {
    'AGENTS.md': 'outside',
    'repo/.git': { folder: true },
    'repo/AGENTS.md': 'root\n',
    'repo/a/b/AGENTS.md': 'near',
  })
  const files = await findContextFiles(join(root, 'repo/a/b'))
  assert.deepEqual(
    files.map(({ path, text }) => [path.slice(root.length), text]),
    [
      ['/repo/AGENTS.md', 'root\n'],
      ['/repo/a/b/AGENTS.md', 'near'],
    ],
  )
  const text = contextText(files)
  assert.match(
    text,
    /^## What this project asks of agents\n\n### .*repo\/AGENTS\.md\n\nroot\n\n### .*b\/AGENTS\.md\n\nnear$/,
  )
  assert.equal(contextText([]), '')
})

test('bundled-plugins 6: outside a repository the workspace’s own alone', async (t) => {
  const root = await createTempTree(t, { 'AGENTS.md': 'above', 'ws/AGENTS.md': 'own' })
  assert.deepEqual(
    (await findContextFiles(join(root, 'ws'))).map(({ text }) => text),
    ['own'],
  )
})

test('SAFE-1 a link that leads out of the repository, a folder and a device are not read', async (t) => {
  const root = await createTempTree(t, {
    secret: 'secret',
    'repo/.git': { folder: true },
    'repo/AGENTS.md': { link: '../secret' },
    'repo/a/AGENTS.md/x': '',
    'repo/a/b/AGENTS.md': { link: '/dev/zero' },
  })
  assert.deepEqual(await findContextFiles(join(root, 'repo/a/b')), [])
})

test('PRM-3 together they are bounded, the nearest first, and the same bytes each time', async (t) => {
  const root = await createTempTree(t, {
    '.git': { folder: true },
    'AGENTS.md': 'é'.repeat(20_000),
    'a/AGENTS.md': 'x'.repeat(20_000),
  })
  const files = await findContextFiles(join(root, 'a'))
  assert.equal(files[1]?.leftOut, 0)
  assert.equal(files[0]?.leftOut, 40_000 - (32 * 1024 - 20_000))
  const text = contextText(files)
  assert.ok(Buffer.byteLength(text) < 33_500)
  assert.doesNotMatch(text, /\ufffd/)
  assert.equal(contextText(await findContextFiles(join(root, 'a'))), text)
})

test('SAFE-4 PRM-2 the core block sits at 300, and is empty until the workspace is trusted', async (t) => {
  const root = await createTempTree(t, { 'AGENTS.md': 'Use tabs.' })
  let trusted = false
  const paths = { config: root, state: root, cache: root, workspace: root, installation: root }
  const { contextBlock } = createConversationServices({
    paths,
    clock: systemClock,
    env: {},
    config: createConfigStore(root, systemClock),
    workspace: createWorkspaceService({ workspace: root }),
    isTrusted: async () => trusted,
    snapshot: () => handMadeSnapshot(),
    tree: () => new Map(),
    secrets: () => [],
    onNotice: () => {},
  })
  assert.equal(contextBlock.priority, 300)
  assert.equal(await contextBlock.render(), '')
  trusted = true
  assert.match(await contextBlock.render(), /Use tabs\./)
})
