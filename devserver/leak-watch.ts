import type { App } from '../host/app/app.ts'
import type { Clock } from '../host/base/clock.ts'
import { readRegularFile } from '../host/base/read-regular-file.ts'
import { collectMemory, surroundings } from '../host/testing/leak.ts'
import type { Diagnostic } from '../manifests/diagnostic.ts'

/** What watching for leaks needs. */
export interface LeakWatchDeps {
  readonly app: Pick<App, 'on'> & { readonly plugins: Pick<App['plugins'], 'inputs' | 'witness' | 'info'> }
  readonly clock: Clock
  readonly onFound: (plugin: string, diagnostic: Diagnostic) => void
}

/** A plugin is looked at when it has this many retired versions that nobody has collected yet. */
const SUSPICIOUS = 3

/** Memory is collected when nothing was swapped for this long, in milliseconds: it takes a moment of the process. */
const QUIET_MS = 2_000

/** How often memory is collected before a version counts as kept. */
const ROUNDS = 5

type Witness = ReturnType<App['plugins']['witness']>

/**
 * Tells, once a plugin, that versions of it which were swapped out stay in memory (SWAP-9): what keeps them, where that
 * can be seen, and what to do. While no plugin is suspicious it costs nothing.
 */
export function watchLeaks({ app, clock, onFound }: LeakWatchDeps): readonly (() => void)[] {
  const before = surroundings()
  const versions = new Map<string, NonNullable<Witness>[]>()
  const told = new Set<string>()
  let stopWaiting = () => {}
  let closed = false

  /** Retired versions that are still there; the last one is live. */
  const kept = (id: string) => {
    const alive = (versions.get(id) ?? []).filter((one) => one.deref() !== undefined)
    versions.set(id, alive)
    return alive.slice(0, -1).filter((one) => one.deref()?.phase === 'ended').length
  }
  const suspects = () => [...versions.keys()].filter((id) => !told.has(id) && kept(id) >= SUSPICIOUS)
  const look = async () => {
    // Some things end a moment after their version: only what is still there after all of these was kept.
    for (let round = 0; round < ROUNDS; round += 1) {
      if (suspects().length === 0 || closed) return
      await collectMemory()
    }
    for (const id of suspects()) {
      told.add(id)
      onFound(id, findingOf(app, id, { count: kept(id), keepers: keepersSince(before) }))
    }
  }
  return [
    app.on('plugin.swapped', ({ plugin }) => {
      const witness = app.plugins.witness(plugin)
      if (witness === undefined || told.has(plugin)) return
      const known = versions.get(plugin) ?? []
      versions.set(plugin, [...known, witness].slice(-2 * SUSPICIOUS))
      stopWaiting()
      stopWaiting = clock.after(QUIET_MS, () => void look(), { background: true })
    }),
    () => {
      closed = true
      stopWaiting()
    },
  ]
}

function keepersSince(before: ReturnType<typeof surroundings>): readonly string[] {
  const now = surroundings()
  const globals = now.globals.filter((name) => !before.globals.includes(name))
  const listeners = [...now.listeners].filter(([name, count]) => count > (before.listeners.get(name) ?? 0))
  return [
    ...globals.map((name) => `the global ${name}`),
    ...listeners.map(([name]) => `a listener of the process on ${name}`),
  ].slice(0, 5)
}

/** What reaches beyond a version, and so may keep it. */
const REACHING = /\b(?:globalThis|global)\b|\bprocess\s*\.\s*(?:on|once|addListener)\b|\bdispose\b/

function findingOf(
  { plugins }: LeakWatchDeps['app'],
  id: string,
  { count, keepers }: { readonly count: number; readonly keepers: readonly string[] },
): Diagnostic {
  const folder = plugins.info(id)?.path ?? ''
  const files = plugins
    .inputs(id)
    .filter((file) => file.startsWith(folder) && !file.endsWith('.json') && !file.includes('node_modules'))
  const found = files.flatMap(placesIn)
  const [place = { file: files[0] ?? folder, line: 1, column: 1 }] = found
  const by = keepers.length === 0 ? '' : `, perhaps by ${keepers.join(', ')}`
  return {
    severity: 'warning',
    code: 'AMB4003',
    ...place,
    path: '',
    message: `plugin ${id}: ${count} versions that were swapped out stay in memory: something outside keeps a function of them${by}`,
    hint: 'take back in dispose what you gave to a global, a shared object or a listener; assertNoLeak() of amber-agent/sdk/testing checks it',
  }
}

function placesIn(file: string): readonly Pick<Diagnostic, 'file' | 'line' | 'column' | 'length'>[] {
  const read = readRegularFile(file)
  const lines = 'bytes' in read ? read.bytes.toString('utf8').split('\n', 20_000) : []
  const at = lines.findIndex((line) => REACHING.test(line))
  const match = REACHING.exec(lines[at] ?? '')
  return match ? [{ file, line: at + 1, column: match.index + 1, length: match[0].length }] : []
}
