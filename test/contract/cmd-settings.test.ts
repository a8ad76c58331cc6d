import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { settingCommands } from '../../host/app/setting-commands.ts'
import { createConfigStore } from '../../host/base/config.ts'
import { coreTree } from '../../manifests/core-tree.ts'
import { createManualClock } from '../support/manual-clock.ts'

const argument = (text: string) => ({ text, words: [], signal: new AbortController().signal })

test('bundled-plugins 8: /set writes config.json, /get and /settings show it, and a wrong value is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'amber-settings-'))
  try {
    const commands = settingCommands(createConfigStore(folder, createManualClock()))
    const run = async (path: string, text = '') => commands.get(path)?.(argument(text))
    assert.equal(
      await run('set.detection.loop', 'off'),
      'detection.loop is false from the next conversation on.',
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
      /compression\.threshold +not set\ncompression\.minTurns +5/,
    )
    assert.match(String(await run('settings')), /reasoningEffort +off/)
    await assert.rejects(async () => run('set.compression.min_turns', 'many'))
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('CMD-3 each setting that is bound stands in the tree', () => {
  const commands = settingCommands(createConfigStore('/nowhere', createManualClock()))
  for (const path of commands.keys()) {
    let nodes: ReturnType<typeof coreTree> | undefined = coreTree()
    for (const part of path.split('.')) {
      assert.ok(nodes?.[part], path)
      nodes = nodes[part]?.children
    }
  }
})
