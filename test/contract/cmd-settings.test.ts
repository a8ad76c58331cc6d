import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { settingCommands } from '../../host/app/setting-commands.ts'
import { configKeys, createConfigStore } from '../../host/base/config.ts'
import { commandPaths } from '../../manifests/command-node.ts'
import { coreTree } from '../../manifests/core-tree.ts'
import { createManualClock } from '../support/manual-clock.ts'

const argument = (text: string) => ({ text, words: [], signal: new AbortController().signal })

test('bundled-plugins 8: /set writes config.json, /get and /settings show it, and a wrong value is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'amber-settings-'))
  try {
    const heard: string[] = []
    const commands = settingCommands({
      config: createConfigStore(folder, createManualClock()),
      given: { model: { value: 'm-1', source: '--model' } },
      async changed(key) {
        heard.push(key)
        return key === 'display.markdown'
      },
    })
    const run = async (path: string, text = '') => commands.get(path)?.(argument(text))
    assert.equal(
      await run('set.detection.loop', 'off'),
      'detection.loop is off from the next conversation on.',
    )
    assert.equal(
      await run('set.reasoning.effort', 'off'),
      'reasoningEffort is off from the next conversation on.',
    )
    await run('set.compression.min_turns', '5')
    assert.deepEqual(JSON.parse(await readFile(join(folder, 'config.json'), 'utf8')), {
      detection: { loop: false },
      reasoningEffort: 'off',
      compression: { minTurns: 5 },
    })
    assert.match(
      String(await run('get.compression')),
      /compression\.threshold +70 +default\ncompression\.minTurns +5 +config\.json/,
    )
    const all = String(await run('settings'))
    assert.match(all, /reasoningEffort +off +config\.json/)
    assert.match(all, /^model +m-1 +--model$/m)
    assert.equal(await run('set.display.markdown', 'off'), 'display.markdown is off now.')
    assert.equal(
      await run('set.config.approval.questions', 'deny'),
      'approval.questions is deny from the next conversation on.',
    )
    assert.equal(await run('get.config.approval.questions'), 'approval.questions  deny  config.json')
    assert.equal(
      await run('set.default', 'approval.questions'),
      "approval.questions is amber's own again from the next conversation on.",
    )
    assert.equal(await run('get.config.approval.questions'), 'approval.questions  ask  default')
    assert.deepEqual(heard.slice(-3), ['display.markdown', 'approval.questions', 'approval.questions'])
    await assert.rejects(async () => run('set.compression.min_turns', 'many'))
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('CMD-3 each setting that is bound stands in the tree', () => {
  const paths = new Set(
    Object.entries(coreTree()).flatMap(([root, node]) =>
      commandPaths(node).map((path) => [root, path].filter((part) => part !== '').join('.')),
    ),
  )
  const commands = settingCommands({
    config: createConfigStore('/nowhere', createManualClock()),
    given: {},
    changed: async () => false,
  })
  for (const path of commands.keys()) assert.ok(paths.has(path), path)
})

test('bundled-plugins 8: every setting of the schema can be shown, set and completed', async () => {
  const { get, set } = coreTree()
  const keys = [...(await configKeys())]
  assert.deepEqual(Object.keys(get?.children?.config?.children ?? {}), keys)
  assert.deepEqual(Object.keys(set?.children?.config?.children ?? {}), keys)
  assert.deepEqual(set?.children?.default?.choices, keys)
  const { children } = set?.children?.config ?? {}
  assert.deepEqual(children?.['display.markdown']?.choices, ['on', 'off'])
  assert.deepEqual(children?.['compression.threshold']?.range, [10, 95])
  assert.deepEqual(children?.mode?.choices, ['read', 'write', 'yolo'])
})
