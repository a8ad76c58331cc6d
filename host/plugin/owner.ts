import type { PluginSource } from '../registry/contribution.ts'

/** Whose code is about to run, and what to call it when it fails. */
export interface Owner {
  readonly plugin: string
  /** The manifest: where a fault with no better place is shown. */
  readonly manifestFile: string
  readonly folder: string
  /** The entry, absolute, where it is known: where a fault of the code without a better place is shown. */
  readonly entryFile?: string
  /** Where the plugin was found; undefined counts as somebody else's. */
  readonly source?: PluginSource
}
