import type { ManifestFile } from './manifest.gen.ts'
import type { Manifest } from './manifest.ts'
import { normaliseManifest } from './normalise-manifest.ts'

/**
 * Reads a manifest whose very text passed `readManifest` before without a finding, under this very version of amber:
 * it is only parsed, and neither validator nor version check is loaded. The caller keeps the hashes. Never throws.
 */
export function readKnownManifest(text: string): Manifest | undefined {
  try {
    const data: unknown = JSON.parse(text)
    return isKnownManifest(data) ? normaliseManifest(data) : undefined
  } catch {
    return undefined
  }
}

/** The text is known to be valid; what was parsed from it only has to be what it was then. */
function isKnownManifest(data: unknown): data is ManifestFile {
  return typeof data === 'object' && data !== null && 'id' in data && 'engines' in data
}
