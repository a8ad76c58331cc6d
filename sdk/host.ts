import type { Dispose } from './dispose.ts'
import type { EventHandler, EventName } from './events.ts'
import type { HostServices } from './services.ts'
import type { OfferedTool } from './tool.ts'

/** What a plugin's factory receives. Everything taken from it ends with the plugin (contract LED-4). */
export interface PluginHost {
  /** The plugin's id, as its manifest says. */
  readonly id: string
  /** Which version of the plugin in this process this is, from 1. */
  readonly generation: number
  /** The host's services; one that this run does not have is absent (LED-3). */
  readonly services: HostServices
  /** Aborted when this version of the plugin is retired (SWAP-4). */
  readonly signal: AbortSignal
  /** Subscribes to a host event until the plugin ends (EVT-1). */
  on<Name extends EventName>(name: Name, handler: EventHandler<Name>): Dispose
  /** Runs `run` every `ms` milliseconds from the moment this version is live until it is retired (EVT-1). */
  every(ms: number, run: () => void | Promise<void>): Dispose
  /**
   * The plugin's own folder in amber's cache, absolute. It need not exist yet, and may be deleted at any time: only what
   * can be made again belongs there.
   */
  readonly cacheFolder: string
  /**
   * Contributes tools that nobody can know before the plugin runs (those of a server), together, under the group's name;
   * offering a group again replaces it, no tools remove it. Needs `dynamicTools` in the manifest, whose prefix begins
   * every name. What the factory offers before it answers goes live with this version, the rest at once; all of it ends
   * with the version (LED-4). Throws on a tool that no manifest could declare. The answer takes the group back.
   */
  offerTools(group: string, tools: readonly OfferedTool[]): Dispose
  /** Writes to amber's log under the plugin's name. Never put a secret here. */
  readonly log: PluginLog
  /**
   * What the version before this one returned from `dispose` (SWAP-5); undefined where there was none.
   * A factory that reads it is run once more, with the value, when the old version has handed it over.
   */
  readonly handedOver: unknown
  /** Talks to the user; fails closed when nobody is there (headless). */
  readonly ui: PluginUi
}

/** The plugin's own log. */
export interface PluginLog {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/** Questions and notices to the user. Headless: `confirm` answers false, the others undefined. */
export interface PluginUi {
  notify(message: string): void
  confirm(question: string): Promise<boolean>
  choose(question: string, choices: readonly string[]): Promise<string | undefined>
  askText(question: string): Promise<string | undefined>
  askSecret(question: string): Promise<string | undefined>
}

/** Why a version is disposed of. */
export type DisposeReason = 'reload' | 'disable' | 'crash' | 'shutdown'
