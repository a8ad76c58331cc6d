import { mkdirSync, realpathSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileFunction } from 'node:vm'
import { build } from 'esbuild'
import { createPluginWatch } from '../../devserver/plugin-watch.ts'
import { systemClock } from '../../host/base/clock.ts'
import { answeringEntry, answeringPlugin, plainTool } from '../support/plugin-folder.ts'
import { benchHost, callTool } from './host.ts'
import { ms, report, summarise } from './measure.ts'

const ROUNDS = 100
const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Events of a test come at a person's pace: further apart than a watcher's own windows. */
const BETWEEN_SAVES_MS = 90

/**
 * The floor of save -> live: the event of fs.watch, a build of the same file by esbuild, and the compilation of its
 * text; from the moment before the save to the moment at which the new function has answered.
 */
async function measureFloor(): Promise<readonly number[]> {
  const folder = realpathSync(tmpdir())
  const home = join(folder, `amber-floor-${process.pid}`)
  mkdirSync(home)
  const file = join(home, 'index.ts')
  const source = (answer: string) =>
    answeringEntry('floor', answer).replaceAll('amber-agent/sdk', './sdk.cjs')
  writeFileSync(join(home, 'sdk.cjs'), 'exports.definePlugin = (factory) => factory')
  writeFileSync(file, source('start'))
  let changed: () => void = () => {}
  const watcher = watch(home, () => changed())
  const require = createRequire(file)
  const times: number[] = []
  for (let round = -5; round < ROUNDS; round += 1) {
    await pause(BETWEEN_SAVES_MS)
    const answer = `answer ${round}`
    const event = new Promise<void>((resolve) => {
      changed = resolve
    })
    const started = performance.now()
    writeFileSync(file, source(answer))
    await event
    for (;;) {
      const result = await build({
        entryPoints: [file],
        bundle: true,
        write: false,
        platform: 'node',
        format: 'cjs',
        sourcemap: 'inline',
        external: ['./sdk.cjs'],
      })
      const module = { exports: Object.create(null) }
      compileFunction(result.outputFiles[0]?.text ?? '', ['module', 'exports', 'require'])(
        module,
        module.exports,
        require,
      )
      const entry = module.exports.default()
      if (entry.tools.floor.execute().output === answer) break
    }
    if (round >= 0) times.push(performance.now() - started)
  }
  watcher.close()
  rmSync(home, { recursive: true })
  return times
}

const host = benchHost()
const plugin = answeringPlugin(host.userPlugins, 'saved', 'start')
mkdirSync(host.userPlugins, { recursive: true })
const phases: Record<string, number[]> = {}
const totals: number[] = []
let wake: () => void = () => {}
const watchOf = createPluginWatch({
  clock: systemClock,
  app: {
    plugins: host.plugins,
    paths: { config: '', state: '', cache: '', workspace: '', installation: '' },
    on: (name, handler) => host.bus.subscribe('amber', name, handler, { observe: true }).dispose,
    onDiagnostic: host.onDiagnostic,
  },
  onEvent(event) {
    if (event.type !== 'swap') return
    totals.push(event.totalMs)
    for (const [name, value] of Object.entries(event.phases)) phases[name] = [...(phases[name] ?? []), value]
  },
})
host.bus.subscribe('amber', 'plugin.swapped', () => wake(), { observe: true })
await watchOf.add({ folder: plugin.folder, source: 'flag', isParent: false, takesNew: true }, { fresh: true })

/** From the moment before a save to the moment at which the new version has answered a call. */
async function saveAndCall(save: () => void, expected: string): Promise<number> {
  const started = performance.now()
  const swapped = new Promise<void>((resolve) => {
    wake = resolve
  })
  save()
  await swapped
  while ((await callTool(host, 'saved')) !== expected)
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  return performance.now() - started
}

process.stdout.write('save -> live\n')
const floor = summarise(await measureFloor())
report('floor: fs.watch + esbuild + compile', `p50 ${ms(floor.p50)}  p95 ${ms(floor.p95)}`)
const times: number[] = []
for (let round = -5; round < ROUNDS; round += 1) {
  await pause(BETWEEN_SAVES_MS)
  const text = answeringEntry('saved', `answer ${round}`)
  const took = await saveAndCall(() => plugin.write('index.ts', text), `answer ${round}`)
  if (round >= 0) times.push(took)
}
const live = summarise(times)
report('one file', `p50 ${ms(live.p50)}  p95 ${ms(live.p95)}  ${(live.p50 / floor.p50).toFixed(2)}x`, {
  text: 'p50 2x, p95 40 ms',
  met: live.p50 <= 2 * floor.p50 && live.p95 <= 40,
})
const printed = Object.entries(phases).map(([name, values]) => `${name} ${summarise(values).p50.toFixed(2)}`)
report('phases, p50 in ms', printed.join('  '))

totals.length = 0
for (let round = 0; round < 50; round += 1) {
  await pause(BETWEEN_SAVES_MS)
  const told = totals.length
  plugin.manifest({
    entry: './index.ts',
    description: `Described ${round}.`,
    capabilities: { tools: [{ ...plainTool('saved'), description: `Answers ${round}.` }] },
  })
  while (totals.length === told) await pause(1)
}
const data = summarise(totals)
report('data alone (a description), work', `p50 ${ms(data.p50)}  p95 ${ms(data.p95)}`, {
  text: '< 3 ms',
  met: data.p50 < 3,
})

/** Two saves 0 to 60 ms apart, in place and by rename: whatever the watcher saw, the newest state must be live. */
let stale = 0
const DOUBLE = 1_000
for (let round = 0; round < DOUBLE; round += 1) {
  const gap = round % 61
  const save = (answer: string) => {
    const text = answeringEntry('saved', answer)
    if (round % 2 === 0) plugin.write('index.ts', text)
    else {
      writeFileSync(join(plugin.folder, '.index.ts.tmp'), text)
      renameSync(join(plugin.folder, '.index.ts.tmp'), join(plugin.folder, 'index.ts'))
    }
  }
  save(`first ${round}`)
  if (gap > 0) await pause(gap)
  save(`second ${round}`)
  const deadline = performance.now() + 400
  while ((await callTool(host, 'saved')) !== `second ${round}` && performance.now() < deadline) await pause(5)
  if ((await callTool(host, 'saved')) !== `second ${round}`) stale += 1
}
report(`${DOUBLE} double saves, 0 to 60 ms apart`, `${stale} ended stale`, { text: '0', met: stale === 0 })
await watchOf.close()
await host.dispose()
process.exit(0)
