import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Manifest } from '../../manifests/manifest.ts'
import { readManifest } from '../../manifests/read-manifest.ts'
import { readManifestFast } from '../../manifests/read-manifest-fast.ts'
import type { ManifestReader } from '../plugin/manifest-reader.ts'

/** Binds the manifest language to an amber, and adds what only the disk knows: whether the named files are there (W29). */
export function createManifestReader(amberVersion: string): ManifestReader {
  return {
    fast(text, file) {
      const manifest = readManifestFast(text, { amberVersion })
      return manifest && hasItsFiles(manifest, dirname(file)) ? manifest : undefined
    },
    async full(text, file) {
      const reading = await readManifest(text, file, { amberVersion })
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
