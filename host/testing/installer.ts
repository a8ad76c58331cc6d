import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import { drawFrame } from '../../manifests/frame.ts'
import type { Host } from '../app/create-host.ts'
import { assertSame, type Remains, remainsOf } from './clean-removal.ts'
import type { FakeClock } from './fake-clock.ts'
import { assertCollectable, surroundings } from './leak.ts'
import type { TestHost, TestPlugin, TestSwap } from './test-host.ts'

/** What comes, changes and goes in a test's host. */
export function createInstaller(
  host: Host,
  clock: FakeClock,
): Pick<TestHost, 'install' | 'swap' | 'assertCleanRemoval' | 'assertNoLeak'> {
  /** What the host was like before each installed plugin came, last come last. */
  const before = new Map<string, Remains>()
  const remains = () => remainsOf(host, clock)
  const around = surroundings()
  return {
    async install(plugin) {
      const folder = pluginFolderOf(plugin)
      const was = remains()
      const result = await host.plugins.offer(folder, 'flag')
      if (result.kind === 'rejected') throw new Error(explain(folder, result.diagnostics))
      if (!before.has(result.plugin)) before.set(result.plugin, was)
      return describe(host, result.plugin)
    },
    swap: async (plugin) => toSwap(await host.plugins.swap(plugin ?? lastOf(before))),
    async assertNoLeak() {
      for (const plugin of before.keys()) await assertCollectable(host, plugin, around)
    },
    async assertCleanRemoval() {
      for (const [plugin, was] of [...before].reverse()) {
        before.delete(plugin)
        const found = host.diagnostics().length
        await host.plugins.remove(plugin)
        assertSame(plugin, was, remains())
        const faults = host.diagnostics().slice(found)
        if (faults.length > 0) throw new Error(explain(`removing ${plugin}`, faults))
      }
    },
  }
}

/** The folder of a plugin, from itself or any file in it. Throws when no plugin.json is at or above it. */
function pluginFolderOf(plugin: string | URL): string {
  const isUrl = plugin instanceof URL || plugin.startsWith('file:')
  const start = isUrl ? fileURLToPath(plugin) : resolve(plugin)
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'plugin.json'))) return folder
    if (dirname(folder) === folder) throw new Error(`there is no plugin.json in ${start} or above it`)
  }
}

function describe(host: Host, id: string): TestPlugin {
  const info = host.plugins.info(id)
  if (!info) throw new Error(`plugin ${id} is gone`)
  const { version, state, generation } = info
  return { id, version, state, generation }
}

function lastOf(plugins: ReadonlyMap<string, unknown>): string {
  const last = [...plugins.keys()].at(-1)
  if (last === undefined) throw new Error('no plugin is installed')
  return last
}

function toSwap(result: Awaited<ReturnType<Host['plugins']['swap']>>): TestSwap {
  if (result.kind === 'rejected') {
    return { kind: 'rejected', plugin: result.plugin, diagnostics: result.diagnostics }
  }
  if (result.kind !== 'swapped') return result
  const { kind, plugin, generation, changed } = result
  return { kind, plugin, generation, changed }
}

/** Every finding over its line, as `amber plugin validate` draws it. */
function explain(what: string, diagnostics: readonly Diagnostic[]): string {
  const frames = diagnostics.map((one) => drawFrame(one, textOf(one.file)))
  return [`${what} is not usable:`, ...frames].join('\n\n')
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
