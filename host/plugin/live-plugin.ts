import { join } from 'node:path'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { Manifest } from '../../manifests/manifest.ts'
import type { LedgerEntry, PluginSource } from '../registry/contribution.ts'
import type { CodeRef } from './contribution-code.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { Owner } from './owner.ts'

/** Where a plugin's life stands (LED-9). */
export type PluginState = 'discovered' | 'invalid' | 'disabled' | 'active' | 'degraded' | 'failed'

/** A plugin as the host knows it (interfaces 2: `plugin list`, `plugin info`). */
export interface PluginInfo {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly category: string
  readonly source: PluginSource
  /** The folder, absolute and real. */
  readonly path: string
  readonly state: PluginState
  readonly enabled: boolean
  readonly reason?: string
  /** The plugin's own count of versions in this process, from 1. */
  readonly generation: number
  readonly contributions: readonly LedgerEntry[]
  /** What loading its entry took, in milliseconds; absent while it is not loaded (MAN-3), or has none. */
  readonly loadMs?: number
  /** What is wrong with the newest state of its files; empty when nothing is. */
  readonly diagnostics: readonly Diagnostic[]
}

/** What the host keeps of one plugin while it runs. */
export interface LivePlugin {
  readonly id: string
  readonly source: PluginSource
  readonly folder: string
  /** The last manifest that was good. */
  manifest: Manifest | undefined
  /** The code that answers; undefined when the plugin is off, invalid, or data alone. */
  code: CodeRef | undefined
  generation: number
  state: PluginState
  reason: string | undefined
  enabled: boolean
  /** The files that the newest state is made of, as they were when it was last tried (SWAP-7). */
  tried: Fingerprint
  diagnostics: readonly Diagnostic[]
}

/** A plugin that nothing is known of yet but where it is. */
export function createLivePlugin(id: string, folder: string, source: PluginSource): LivePlugin {
  return {
    id,
    source,
    folder,
    manifest: undefined,
    code: undefined,
    generation: 0,
    state: 'discovered',
    reason: undefined,
    enabled: true,
    tried: new Map(),
    diagnostics: [],
  }
}

/** The manifest's path. */
export function manifestFileOf(plugin: { readonly folder: string }): string {
  return join(plugin.folder, 'plugin.json')
}

/** Whom to name when the plugin's code fails; `entry` is the manifest's. */
export function ownerOf(
  plugin: { readonly id: string; readonly folder: string; readonly source?: PluginSource },
  entry?: string,
): Owner {
  const { id, folder, source } = plugin
  return {
    plugin: id,
    folder,
    manifestFile: manifestFileOf(plugin),
    ...(source === undefined ? {} : { source }),
    ...(entry === undefined ? {} : { entryFile: join(folder, entry) }),
  }
}

/** What others may know of a plugin. */
export function infoOf(plugin: LivePlugin, contributions: readonly LedgerEntry[]): PluginInfo {
  const { manifest } = plugin
  const loadMs = plugin.code?.current.loadMs
  return {
    id: plugin.id,
    name: manifest?.name ?? plugin.id,
    version: manifest?.version ?? '',
    category: manifest?.category ?? 'other',
    source: plugin.source,
    path: plugin.folder,
    state: plugin.state,
    enabled: plugin.enabled,
    ...(plugin.reason === undefined ? {} : { reason: plugin.reason }),
    generation: plugin.generation,
    contributions,
    ...(loadMs === undefined ? {} : { loadMs }),
    diagnostics: plugin.diagnostics,
  }
}
