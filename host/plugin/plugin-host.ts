import type { HostServices, PluginHost, PluginLog, PluginUi } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import type { Fence } from './owned-globals.ts'
import type { Owner } from './owner.ts'
import type { Scope } from './scope.ts'

/** One subscription of a plugin, still untyped: the bus knows the names. */
export interface Subscription {
  readonly name: string
  readonly handler: (event: unknown) => unknown
}

/** The user interface for one asker, `amber` or `plugin ID`: whatever is shown names it, so none passes for another. */
export type UiDoor = (asker: string) => PluginUi

/** The doors through which a plugin reaches the host; each takes what it opens into the plugin's scope. */
export interface HostDoors {
  readonly clock: Clock
  readonly services: HostServices
  readonly ui: UiDoor
  /** What `require` answers before it looks into the plugin's folder. */
  readonly shared: Readonly<Record<string, unknown>>
  log(plugin: string): PluginLog
  /** The plugin's own folder in the cache, absolute. */
  cacheFolder(plugin: string): string
  /** Subscribes within a scope: staged until the commit, gone with the version (EVT-1). */
  subscribe(owner: Owner, scope: Scope, subscription: Subscription): () => void
}

/** Shortest interval that `host.every` accepts, in milliseconds: less is a busy loop. */
const SHORTEST_INTERVAL_MS = 10

/** Longest one that a timer of Node holds, in milliseconds (24.8 days): more would run at once and for ever. */
const LONGEST_INTERVAL_MS = 2_147_483_647

/** Makes what a plugin's factory receives (interfaces 5). Everything taken from it belongs to the scope. */
export function createPluginHost(
  doors: HostDoors,
  version: {
    readonly owner: Owner
    readonly generation: number
    readonly scope: Scope
    readonly fence: Fence
    readonly handedOver: () => unknown
    readonly offerTools: PluginHost['offerTools']
  },
): PluginHost {
  const { owner, scope, fence } = version
  return {
    id: owner.plugin,
    generation: version.generation,
    services: doors.services,
    signal: scope.signal,
    log: doors.log(owner.plugin),
    cacheFolder: doors.cacheFolder(owner.plugin),
    offerTools: version.offerTools,
    ui: doors.ui(`plugin ${owner.plugin}`),
    on: (name, handler) =>
      doors.subscribe(owner, scope, { name, handler: (event) => Reflect.apply(handler, undefined, [event]) }),
    every(ms, run) {
      if (!Number.isFinite(ms) || ms <= 0)
        throw new RangeError(`host.every needs milliseconds above 0, not ${ms}`)
      const interval = Math.min(Math.max(ms, SHORTEST_INTERVAL_MS), LONGEST_INTERVAL_MS)
      let stop = () => {}
      return scope.stage(
        `host.every ${ms} ms`,
        () => {
          stop = doors.clock.every(interval, () => fence(`host.every ${ms} ms`, run), { background: true })
        },
        () => stop(),
      )
    },
    get handedOver() {
      return version.handedOver()
    },
  }
}
