import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answeringPlugin } from '../support/plugin-folder.ts'
import { ms, plainEnvironment, report, timeInTurns } from './measure.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const amber = join(root, 'dist', 'amber.js')
const COUNT = 500

process.stdout.write(`${COUNT} plugins\n`)
const [none, many] = [
  mkdtempSync(join(tmpdir(), 'amber-bench-')),
  mkdtempSync(join(tmpdir(), 'amber-bench-')),
]
for (let index = 0; index < COUNT; index += 1)
  answeringPlugin(join(many, 'config', 'plugins'), `plugin_${index}`, 'here')
const list = [amber, 'plugin', 'list']
const [alone, loaded] = timeInTurns(
  [
    { args: list, env: { AMBER_HOME: none } },
    { args: list, env: { AMBER_HOME: many } },
  ],
  10,
)
if (!alone || !loaded) throw new Error('nothing was measured')
const each = (loaded.p50 - alone.p50) / COUNT
report('start with the bundled plugins', ms(alone.p50))
report(`start with ${COUNT} more`, `${ms(loaded.p50)}  ${each.toFixed(3)} ms a plugin`, {
  text: '< 0.3 ms',
  met: each < 0.3,
})

/** Peak resident memory of a listing, in kB, as the process itself sees it. */
function memoryOf(home: string): number {
  const probe = `process.on('exit', () => process.stderr.write('rss ' + process.resourceUsage().maxRSS))`
  const result = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(probe)}`, ...list],
    {
      env: plainEnvironment({ AMBER_HOME: home }),
      encoding: 'utf8',
    },
  )
  return Number(/rss (\d+)/.exec(result.stderr)?.[1] ?? Number.NaN)
}
const median = (home: string) =>
  [1, 2, 3, 4, 5].map(() => memoryOf(home)).sort((a, b) => a - b)[2] ?? Number.NaN
const kilobytes = (median(many) - median(none)) / COUNT
report('memory a plugin', `${kilobytes.toFixed(1)} kB`, { text: '< 40 kB', met: kilobytes < 40 })
rmSync(none, { recursive: true, force: true })
rmSync(many, { recursive: true, force: true })
