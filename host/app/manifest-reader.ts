import { existsSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { Manifest } from '../../manifests/manifest.ts'
import { readKnownManifest } from '../../manifests/read-known-manifest.ts'
import type { KnownManifests } from '../plugin/known-manifests.ts'
import type { ManifestReader } from '../plugin/manifest-reader.ts'

/**
 * Binds the manifest language to an amber, and adds what only the disk knows: whether the named files are there (W29).
 * A text that passed before is only parsed; everything that checks is loaded for a new one.
 */
export function createManifestReader(options: {
  readonly amberVersion: string
  /** Without it nothing is known beforehand. */
  readonly known?: KnownManifests
  /** Plugins below this folder were installed, not written here (MAN-7). */
  readonly installed?: string
}): ManifestReader {
  const { amberVersion, known, installed } = options
  return {
    fast(text, file) {
      const manifest = known?.has(text) ? readKnownManifest(text) : undefined
      return manifest && hasItsFiles(manifest, dirname(file)) ? manifest : undefined
    },
    async full(text, file) {
      const { readManifest } = await import('../../manifests/read-manifest.ts')
      const isInstalled = installed !== undefined && file.startsWith(installed + sep)
      const reading = await readManifest(text, file, { amberVersion, installed: isInstalled })
      if (reading.diagnostics.length === 0) known?.add(text)
      const folder = dirname(file)
      if (!reading.manifest || hasItsFiles(reading.manifest, folder)) return reading
      const { checkFiles } = await import('../../manifests/check-files.ts')
      const missing = await checkFiles(text, file, (named) => existsSync(join(folder, named)))
      return { diagnostics: [...reading.diagnostics, ...missing] }
    },
  }
}

function hasItsFiles({ entry, capabilities }: Manifest, folder: string): boolean {
  const named = [
    entry,
    ...capabilities.promptBlocks.map((one) => one.file),
    ...capabilities.skills.map((one) => one.file),
  ]
  return named.every((file) => file === undefined || existsSync(join(folder, file)))
}
