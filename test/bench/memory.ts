import { answeringEntry, answeringPlugin } from '../support/plugin-folder.ts'
import { benchHost, callTool, startAll } from './host.ts'
import { report } from './measure.ts'

/** Heap in use after a full collection, in bytes. Needs --expose-gc. */
function heap(): number {
  if (!globalThis.gc) throw new Error('run with --expose-gc')
  for (let round = 0; round < 4; round += 1) globalThis.gc()
  return process.memoryUsage().heapUsed
}

const SWAPS = 1_000
const host = benchHost()
const plugin = answeringPlugin(host.userPlugins, 'swapped', 'start')
await startAll(host)
let calls = 0
let running = true
const caller = (async () => {
  while (running) {
    await callTool(host, 'swapped')
    calls += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
})()
const swap = async (version: number) => {
  plugin.write('index.ts', answeringEntry('swapped', `version ${version}`))
  const result = await host.plugins.swap('swapped')
  if (result.kind !== 'swapped') throw new Error(`swap ${version}: ${JSON.stringify(result)}`)
  const answer = await callTool(host, 'swapped')
  if (answer !== `version ${version}`) throw new Error(`swap ${version} answered ${answer}`)
}
process.stdout.write('memory\n')
for (let version = 0; version < 50; version += 1) await swap(version)
const before = heap()
const started = performance.now()
for (let version = 50; version < 50 + SWAPS; version += 1) await swap(version)
const took = performance.now() - started
running = false
await caller
const grown = (heap() - before) / SWAPS
report(`${SWAPS} swaps under ${calls} calls`, `${(took / SWAPS).toFixed(2)} ms each, none failed`)
report('heap growth a swap', `${Math.round(grown)} bytes`, { text: '< 2 kB', met: grown < 2_000 })
await host.dispose()
