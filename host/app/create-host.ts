import { join } from 'node:path'
import type { CommandNode } from '../../manifests/command-node.ts'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { HostServices } from '../../sdk/index.ts'
import * as sdk from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import { createEventBus, type EventBus } from '../base/event-bus.ts'
import type { Log } from '../base/log.ts'
import type { PluginFault } from '../base/outcome.ts'
import type { AmberPaths } from '../base/paths.ts'
import { AMBER_VERSION } from '../base/version.ts'
import { Ledger } from '../ledger/ledger.ts'
import { createBuildStore } from '../plugin/build-store.ts'
import { createGuard } from '../plugin/guard.ts'
import { createKnownManifests, type KnownManifests } from '../plugin/known-manifests.ts'
import { ownerOf } from '../plugin/live-plugin.ts'
import type { UiDoor } from '../plugin/plugin-host.ts'
import { createPluginStates } from '../plugin/plugin-state.ts'
import { Plugins } from '../plugin/plugins.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import type { PluginTrust } from '../workspace/plugin-trust.ts'
import { createManifestReader } from './manifest-reader.ts'
import { createSubscriber } from './plugin-subscriptions.ts'
import { reservedNames } from './reserved-names.ts'

/** What the plugin side of a host is made of. */
export interface HostOptions {
  readonly paths: AmberPaths
  readonly clock: Clock
  /** What `host.every` runs by; `clock` unless said. The testing kit moves it by hand. */
  readonly pluginClock?: Clock
  readonly log: Log
  readonly ui: UiDoor
  /** Ids switched off for this run. */
  readonly without: readonly string[]
  /** Amber's own command tree. */
  readonly commands: Readonly<Record<string, CommandNode>>
  /** Judges the plugins of the workspace; without one they are used as they are. */
  readonly trust?: PluginTrust
  /** Makes the services of this run; they may read the snapshot. */
  readonly services: (snapshot: () => Snapshot) => HostServices
}

/** Ledger, events and plugins, wired. */
export interface Host {
  readonly ledger: Ledger
  readonly bus: EventBus
  readonly plugins: Plugins
  readonly services: HostServices
  readonly known: KnownManifests
  /** Hears of each fault and finding once. */
  onDiagnostic(handler: (plugin: string, diagnostic: Diagnostic) => void): () => void
  /** Takes a stray exception for the plugin whose code it came from, and reports it as that; false: it is nobody's. */
  claimStray(thrown: unknown): boolean
  /** The plugin of somebody else's whose code runs now, if any. */
  runningPlugin(): string | undefined
  /** What was told so far, oldest first, the last 200. */
  diagnostics(): readonly Diagnostic[]
  /** What is wrong with plugins: the newest state of their files, and what their code did at run time. */
  pluginErrors(): readonly Diagnostic[]
}

const KEPT_DIAGNOSTICS = 200

/** Wires what every amber has: one ledger, one bus, one set of plugins. Starts nothing. */
export function createHost(options: HostOptions): Host {
  const { clock, log, paths } = options
  const ledger = new Ledger(reservedNames(options.commands))
  const listeners = new Set<(plugin: string, diagnostic: Diagnostic) => void>()
  const kept: Diagnostic[] = []
  const told = new Set<string>()
  const guard = createGuard(clock)

  const tell = (plugin: string, diagnostic: Diagnostic) => {
    const generation = plugins.info(plugin)?.generation ?? 0
    const key = [
      plugin,
      generation,
      diagnostic.code,
      diagnostic.file,
      diagnostic.line,
      diagnostic.message,
    ].join('\n')
    if (told.has(key)) return
    // A plugin that throws something new at every frame must not fill the memory.
    if (told.size > 10_000) told.clear()
    told.add(key)
    kept.push(diagnostic)
    if (kept.length > KEPT_DIAGNOSTICS) kept.shift()
    log.write(
      'warn',
      plugin,
      `${diagnostic.file}:${diagnostic.line}:${diagnostic.column} ${diagnostic.message}`,
    )
    for (const listener of listeners) listener(plugin, diagnostic)
  }
  const report = (fault: PluginFault) => tell(fault.plugin, fault.diagnostic)
  const bus = createEventBus({
    clock,
    onFault({ owner, label, thrown }) {
      const info = plugins.info(owner)
      if (!info) return
      const outcome = guard.fault(
        ownerOf({ id: owner, folder: info.path }),
        `event ${label}`,
        'threw',
        thrown,
      )
      if (outcome.kind === 'fault') report(outcome.fault)
    },
  })
  const known = createKnownManifests({
    cache: paths.cache,
    shipped: join(paths.installation, 'dist', 'builds', 'manifests.json'),
    amberVersion: AMBER_VERSION,
  })
  const services = options.services(() => ledger.snapshot())
  const plugins: Plugins = new Plugins({
    clock,
    guard,
    report,
    ledger,
    amberVersion: AMBER_VERSION,
    builds: createBuildStore({ cache: paths.cache, shipped: join(paths.installation, 'dist', 'builds') }),
    reader: createManifestReader({
      amberVersion: AMBER_VERSION,
      known,
      installed: join(paths.config, 'plugins'),
    }),
    states: createPluginStates(paths.config),
    ...(options.trust === undefined ? {} : { trust: options.trust }),
    without: new Set(options.without),
    configFolder: paths.config,
    onDiagnostic: tell,
    publish: (event, plugin) => bus.publish(event, { plugin: plugin.id, generation: plugin.generation }),
    doors: {
      clock: options.pluginClock ?? clock,
      services,
      ui: options.ui,
      cacheFolder: (plugin) => join(paths.cache, 'plugins', plugin),
      shared: { 'amber-agent/sdk': sdk },
      log: (plugin) => ({
        debug: (message) => log.write('debug', plugin, message),
        info: (message) => log.write('info', plugin, message),
        warn: (message) => log.write('warn', plugin, message),
        error: (message) => log.write('error', plugin, message),
      }),
      subscribe: createSubscriber(bus, guard, report),
    },
  })
  return {
    ledger,
    bus,
    plugins,
    services,
    known,
    claimStray(thrown) {
      // What a retired version waited for ends in an abort; that is how it is ended (LED-4).
      if (thrown instanceof Error && thrown.name === 'AbortError' && guard.ownerNow()) return true
      const id = plugins.claimStray(thrown) ?? guard.ownerNow()?.plugin
      const info = id === undefined ? undefined : plugins.info(id)
      if (!info) return false
      const outcome = guard.fault(
        ownerOf({ id: info.id, folder: info.path }),
        'stray exception',
        'threw',
        thrown,
      )
      if (outcome.kind === 'fault') report(outcome.fault)
      return true
    },
    runningPlugin: () => guard.ownerNow()?.plugin,
    diagnostics: () => [...kept],
    pluginErrors: () =>
      [...new Set([...plugins.list().flatMap((one) => one.diagnostics), ...kept])].filter(isError),
    onDiagnostic(handler) {
      listeners.add(handler)
      return () => listeners.delete(handler)
    },
  }
}

function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error'
}
