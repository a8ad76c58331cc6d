import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { atEnd } from '../support/at-end.ts'
import { startUserPlugins, testHost } from '../support/host.ts'
import { answeringEntry, answeringPlugin } from '../support/plugin-folder.ts'

/**
 * Collects everything that can be collected, and gives the heap in use, in bytes. V8 keeps sources and code that it
 * compiled for a while in a cache of its own, longer on Node 24 than on 20: that is switched off here, and code goes only
 * after several collections that did not see it used.
 */
async function heapInUse(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  assert.ok(typeof collect === 'function')
  for (let round = 0; round < 30; round += 1) {
    collect()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return process.memoryUsage().heapUsed
}

test('SWAP-9 SWAP-3 a thousand swaps under a stream of calls: none fails, memory stays, no build stays on disk', async (t) => {
  setFlagsFromString('--no-compilation-cache')
  atEnd(t, () => setFlagsFromString('--compilation-cache'))
  const host = testHost(t)
  const plugin = answeringPlugin(host.userPlugins, 'weather', 'version 0')
  await startUserPlugins(host)
  const wrong: string[] = []
  let calls = 0
  let running = true
  const caller = (async () => {
    while (running) {
      const answer = await host.call('weather')
      calls += 1
      if (!answer.startsWith('version ')) wrong.push(answer)
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  let settled = 0
  for (let version = 1; version <= 1_000; version += 1) {
    plugin.write('index.ts', answeringEntry('weather', `version ${version}`))
    const result = await host.plugins.swap('weather')
    assert.equal(result.kind, 'swapped')
    assert.equal(await host.call('weather'), `version ${version}`)
    if (version === 10) settled = await heapInUse()
  }
  running = false
  await caller
  assert.deepEqual(wrong, [])
  assert.ok(calls > 1_000, `only ${calls} calls ran beside the swaps`)
  const perSwap = ((await heapInUse()) - settled) / 990
  assert.ok(perSwap < 4_000, `${Math.round(perSwap)} bytes a swap`)
  assert.equal(readdirSync(join(host.paths.cache, 'builds')).length, 1)
})
