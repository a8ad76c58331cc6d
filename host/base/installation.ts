import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRecord } from '../../sdk/index.ts'

/** Where amber is installed, and which version of it. */
export interface Installation {
  /** The folder with package.json, plugins/ and manifests/, absolute. */
  readonly folder: string
  readonly version: string
}

/** Finds the installation that a module belongs to: the nearest folder above it with amber's package.json. Throws when there is none. */
export function findInstallation(moduleUrl: string): Installation {
  let folder = dirname(fileURLToPath(moduleUrl))
  for (;;) {
    const version = versionIn(folder)
    if (version !== undefined) return { folder, version }
    const above = dirname(folder)
    if (above === folder) throw new Error(`amber's package.json is nowhere above ${fileURLToPath(moduleUrl)}`)
    folder = above
  }
}

function versionIn(folder: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (!isRecord(manifest) || manifest.name !== 'amber-agent') return undefined
    return typeof manifest.version === 'string' ? manifest.version : undefined
  } catch {
    return undefined
  }
}
