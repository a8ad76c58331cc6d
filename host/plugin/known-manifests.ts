import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomic } from '../base/atomic-file.ts'
import { isRecord } from '../base/values.ts'
import { hashOf } from './content-hash.ts'

/** Which manifest texts passed every check before, under this version of amber: they need none of them again. */
export interface KnownManifests {
  has(text: string): boolean
  /** Remembers a text without findings. */
  add(text: string): void
  /** Writes what was added; a failure is no fault, since it is only a cache. Never rejects. */
  save(): Promise<void>
}

/** More than anybody has installed; older ones are forgotten first. */
const MOST = 5_000

/** The texts that amber ships (`shipped`, read only), and those in the user's cache. Read at the first question. */
export function createKnownManifests(options: {
  readonly cache: string
  readonly shipped: string
  readonly amberVersion: string
}): KnownManifests {
  const file = join(options.cache, 'manifests.json')
  let known: Set<string> | undefined
  let kept: string[] = []
  let added = 0
  const load = (): Set<string> => {
    if (known) return known
    kept = readHashes(file, options.amberVersion)
    known = new Set([...readHashes(options.shipped, options.amberVersion), ...kept])
    return known
  }
  return {
    has: (text) => load().has(hashOf(text)),
    add(text) {
      const hash = hashOf(text)
      if (load().has(hash)) return
      known?.add(hash)
      kept.push(hash)
      added += 1
    },
    async save() {
      if (added === 0) return
      added = 0
      try {
        await writeFileAtomic(file, knownManifestsFile(options.amberVersion, kept.slice(-MOST)))
      } catch {
        // Read only or full: the next start checks again.
      }
    },
  }
}

/** The text of the file. */
export function knownManifestsFile(amberVersion: string, hashes: readonly string[]): string {
  return JSON.stringify({ amber: amberVersion, hashes })
}

function readHashes(file: string, amberVersion: string): string[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isRecord(value) || value.amber !== amberVersion || !Array.isArray(value.hashes)) return []
    return value.hashes.filter((one) => typeof one === 'string')
  } catch {
    return []
  }
}
