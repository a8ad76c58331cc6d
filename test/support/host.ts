import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { closedUi } from '../../host/app/closed-ui.ts'
import { createHost, type Host } from '../../host/app/create-host.ts'
import { type Clock, systemClock } from '../../host/base/clock.ts'
import type { AmberPaths } from '../../host/base/paths.ts'
import type { HostServices } from '../../sdk/index.ts'
import { atEnd } from './at-end.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A host in temporary folders, with the real lifecycle and nothing else. */
export interface TestHost extends Host {
  readonly paths: AmberPaths
  /** Where the user's plugins are. */
  readonly userPlugins: string
  /** Calls a tool and gives its output, or `error: …`. */
  call(tool: string, args?: unknown): Promise<string>
}

/** Makes a host without plugins; it is shut down when the test ends. */
export function testHost(
  t: TestContext,
  options: {
    readonly home?: string
    readonly without?: readonly string[]
    readonly services?: HostServices
    readonly clock?: Clock
  } = {},
): TestHost {
  const home = options.home ?? temporaryFolder(t)
  const paths: AmberPaths = {
    config: join(home, 'config'),
    state: join(home, 'state'),
    cache: join(home, 'cache'),
    workspace: home,
    installation: join(home, 'installation'),
  }
  const host = createHost({
    paths,
    clock: options.clock ?? systemClock,
    log: { write: () => {}, flush: async () => {} },
    ui: closedUi(() => {}),
    without: options.without ?? [],
    commands: {},
    services: () => options.services ?? {},
  })
  atEnd(t, () => host.plugins.shutdown())
  return {
    ...host,
    paths,
    userPlugins: join(paths.config, 'plugins'),
    async call(tool, args = {}) {
      const installed = host.ledger.snapshot().tools.get(tool)
      if (!installed) return `error: no tool ${tool}`
      const signal = new AbortController().signal
      const outcome = await installed.execute(args, {
        id: 'call',
        conversation: 'test',
        signal,
        progress: () => {},
      })
      if (outcome.kind === 'fault')
        return `error: ${outcome.fault.reason}: ${outcome.fault.diagnostic.message}`
      if (outcome.kind === 'declined') return `declined: ${outcome.why}`
      const { value } = outcome
      return typeof value === 'object' && value !== null && 'output' in value
        ? String(value.output)
        : String(value)
    },
  }
}

/** Registers what is in the user's plugin folder. */
export function startUserPlugins(host: TestHost) {
  return host.plugins.start(
    { parents: [{ folder: host.userPlugins, source: 'user' }], given: [] },
    { activate: true },
  )
}
