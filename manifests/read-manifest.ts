import type { Diagnostic } from './diagnostic.ts'
import type { Manifest } from './manifest.ts'
import type { Migration } from './migrate.ts'
import { readManifestFast } from './read-manifest-fast.ts'

/** Under which circumstances a manifest is read. */
export interface ReadManifestOptions {
  /** The running amber's version, which `engines.amber` is held against (MAN-6). */
  readonly amberVersion: string
  /** The plugin was installed, not written here: keys of a newer amber are warnings (MAN-7). */
  readonly installed?: boolean
  /** Instead of amber's own. */
  readonly migrations?: readonly Migration[]
}

/** What a manifest says; none when a diagnostic is an error. */
export interface ManifestReading {
  readonly manifest?: Manifest
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads a manifest (contract MAN-1): all mistakes at once, each with its place in `text`. Takes any text and never
 * throws. Reads nothing else (MAN-8); whether the files it names are there is `checkFiles`' question.
 */
export async function readManifest(
  text: string,
  file: string,
  options: ReadManifestOptions,
): Promise<ManifestReading> {
  const manifest = readManifestFast(text, { amberVersion: options.amberVersion })
  if (manifest !== undefined) return { manifest, diagnostics: [] }
  const { explainManifest } = await import('./explain-manifest.ts')
  return explainManifest(text, file, options)
}
