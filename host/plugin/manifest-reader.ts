import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { Manifest } from '../../manifests/manifest.ts'

/** Reads manifests; the composition root binds it to the manifest language and to amber's version. */
export interface ManifestReader {
  /** The manifest of a text without findings, at once and without loading anything; undefined: ask `full`. */
  fast(text: string, file: string): Manifest | undefined
  /** The manifest, if it is usable, and everything there is to say about it (MAN-1). Never rejects. */
  full(text: string, file: string): Promise<CheckedManifest>
}

/** What reading a manifest in full came to. */
export interface CheckedManifest {
  readonly manifest?: Manifest
  readonly diagnostics: readonly Diagnostic[]
  /** Files that it names and that are not there, as it names them: when they come, it is to be read again (W29). */
  readonly missing?: readonly string[]
}
