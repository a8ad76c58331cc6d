import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closedUi } from '../../host/app/closed-ui.ts'
import { createHost, type Host } from '../../host/app/create-host.ts'
import { systemClock } from '../../host/base/clock.ts'

/** A host with folders of its own, for measuring; `dispose` takes both away. */
export interface BenchHost extends Host {
  readonly userPlugins: string
  dispose(): Promise<void>
}

/** Makes a host without plugins. */
export function benchHost(): BenchHost {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'amber-bench-')))
  const host = createHost({
    paths: {
      config: join(home, 'config'),
      state: join(home, 'state'),
      cache: join(home, 'cache'),
      workspace: home,
      installation: join(home, 'installation'),
    },
    clock: systemClock,
    log: { write: () => {}, flush: async () => {} },
    ui: closedUi(() => {}),
    without: [],
    commands: {},
    services: () => ({}),
  })
  return {
    ...host,
    userPlugins: join(home, 'config', 'plugins'),
    async dispose() {
      await host.plugins.shutdown()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Registers the user's plugins. */
export function startAll(host: BenchHost) {
  return host.plugins.start(
    { parents: [{ folder: host.userPlugins, source: 'user' }], given: [] },
    { activate: true },
  )
}

/** Calls a tool and gives its output. */
export async function callTool(host: Host, tool: string): Promise<unknown> {
  const installed = host.ledger.snapshot().tools.get(tool)
  if (!installed) throw new Error(`no tool ${tool}`)
  const outcome = await installed.execute(
    {},
    { id: 'call', conversation: 'bench', signal: new AbortController().signal, progress: () => {} },
  )
  if (outcome.kind !== 'value') throw new Error(`${tool}: ${outcome.kind}`)
  const { value } = outcome
  return typeof value === 'object' && value !== null && 'output' in value ? value.output : undefined
}
