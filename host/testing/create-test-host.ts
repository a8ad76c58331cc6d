import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coreTree } from '../../manifests/core-tree.ts'
import type { HostServices, PluginUi } from '../../sdk/index.ts'
import { createHost, type Host } from '../app/create-host.ts'
import { systemClock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { AmberPaths } from '../base/paths.ts'
import { createSearchService } from '../workspace/search-service.ts'
import { createWorkspaceService } from '../workspace/workspace-service.ts'
import { createCalls } from './calls.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'
import { createInstaller } from './installer.ts'
import type { TestAnswers, TestHost, TestHostOptions } from './test-host.ts'

/**
 * Makes a host in memory for the test of a plugin: the real lifecycle, ledger, events and dispatch, in temporary
 * folders. Call `dispose` when the test ends: `t.after(() => host.dispose())`.
 */
export function createTestHost(options: TestHostOptions = {}): TestHost {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'amber-testing-')))
  const paths = makePaths(home, options.workspace)
  const clock = createFakeClock(options.now ?? 0)
  const log: string[] = []
  const host = wire({ paths, clock, log, options })
  const installer = createInstaller(host, clock)
  return {
    clock: { now: clock.now, advance: clock.advance, pending: clock.pending },
    ...installer,
    ...createCalls(host, clock),
    ledger: () => host.ledger.snapshot().ledger,
    publish: (name, event) => host.bus.publish(name, event),
    intercept: (name, event) => host.bus.intercept(name, event),
    diagnostics: () => host.diagnostics(),
    log: () => [...log],
    async dispose() {
      await host.plugins.shutdown()
      rmSync(home, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

function makePaths(home: string, workspace: string | undefined): AmberPaths {
  const paths = {
    config: join(home, 'config'),
    state: join(home, 'state'),
    cache: join(home, 'cache'),
    workspace: workspace ?? join(home, 'workspace'),
    installation: join(home, 'installation'),
  }
  if (workspace === undefined) mkdirSync(paths.workspace)
  return paths
}

interface Wiring {
  readonly paths: AmberPaths
  readonly clock: FakeClock
  readonly log: string[]
  readonly options: TestHostOptions
}

/** The host's own deadlines run on real time, so that nothing waits for a test to move the clock. */
function wire({ paths, clock, log, options }: Wiring): Host {
  const workspace = createWorkspaceService({ workspace: paths.workspace })
  return createHost({
    paths,
    clock: systemClock,
    pluginClock: clock,
    log: recordTo(log),
    ui: () => answering(options.answers ?? {}, (message) => log.push(`notice ${message}`)),
    without: [],
    commands: coreTree(),
    services(snapshot) {
      const given = { workspace, search: createSearchService({ snapshot, workspace }), ...options.services }
      return withoutUndefined(given)
    },
  })
}

/** A service that a test takes away is absent, as in a run that never had it. */
function withoutUndefined(services: NonNullable<TestHostOptions['services']>): HostServices {
  return Object.fromEntries(Object.entries(services).filter(([, service]) => service !== undefined))
}

function recordTo(log: string[]): Log {
  return {
    write: (level, source, message) => log.push(`${level} ${source}: ${message}`),
    flush: async () => {},
  }
}

function answering(answers: TestAnswers, notify: (message: string) => void): PluginUi {
  return {
    notify,
    confirm: async (question) => answers.confirm?.(question) ?? false,
    choose: async (question, choices) => answers.choose?.(question, choices),
    askText: async (question) => answers.askText?.(question),
    askSecret: async (question) => answers.askSecret?.(question),
  }
}
