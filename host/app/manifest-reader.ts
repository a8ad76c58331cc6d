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
      return manifest && missingFiles(manifest, dirname(file)).length === 0 ? manifest : undefined
    },
    async full(text, file) {
      const reading = await readManifest(text, file, { amberVersion })
      const folder = dirname(file)
      const missing = reading.manifest ? missingFiles(reading.manifest, folder) : []
      if (missing.length === 0) return reading
      const { checkFiles } = await import('../../manifests/check-files.ts')
      const found = await checkFiles(text, file, (named) => !missing.includes(named))
      return { diagnostics: [...reading.diagnostics, ...found], missing }
    },
  }
}

function missingFiles({ entry, capabilities }: Manifest, folder: string): readonly string[] {
  const named = [
    entry,
    ...capabilities.promptBlocks.map((one) => one.file),
    ...capabilities.skills.map((one) => one.file),
  ]
  return named.flatMap((file) => (file === undefined || existsSync(join(folder, file)) ? [] : [file]))
}
