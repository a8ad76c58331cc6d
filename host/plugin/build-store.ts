import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isRecord } from '../../sdk/index.ts'
import { writeFileAtomic } from '../base/atomic-file.ts'
import type { Bundle } from './activation.ts'
import { hashOf } from './content-hash.ts'

/** Where finished builds are kept, one a plugin, and found again by the content of every file they were made of. */
export interface BuildStore {
  /** The kept build, if every input still has the bytes that it was made of. Never throws. */
  find(folder: string, key: string): Promise<Bundle | undefined>
  /** Keeps a build in place of the plugin's last one. A failure to write is no fault: the next start builds again. */
  keep(folder: string, key: string, bundle: Bundle): Promise<void>
}

/** The stored form: inputs relative to the plugin's folder, so that a shipped build moves with its installation. */
interface StoredBuild {
  readonly key: string
  readonly inputs: readonly (readonly [path: string, hash: string])[]
  readonly code: string
}

/** The builds that amber ships (`shipped`, read only, by plugin folder name), then the user's cache. */
export function createBuildStore(options: { readonly cache: string; readonly shipped?: string }): BuildStore {
  const cached = (folder: string) => join(options.cache, 'builds', `${hashOf(folder)}.json`)
  const shipped = (folder: string) =>
    options.shipped === undefined ? [] : [join(options.shipped, `${folder.split(/[\\/]/).at(-1)}.json`)]
  return {
    async find(folder, key) {
      for (const file of shipped(folder)) {
        const stored = withoutLibraries(await readStored(file))
        if (stored?.key === key && isCurrent(folder, stored)) return toBundle(folder, stored)
      }
      const stored = await readStored(cached(folder))
      return stored?.key === key && isCurrent(folder, stored) ? toBundle(folder, stored) : undefined
    },
    async keep(folder, key, bundle) {
      const file = cached(folder)
      try {
        await writeFileAtomic(file, JSON.stringify(storedForm(folder, key, bundle)))
      } catch {
        // The cache may be read only or full; it is only a cache.
      }
    },
  }
}

/** The stored form of a bundle. */
export function storedForm(folder: string, key: string, bundle: Bundle): StoredBuild {
  return {
    key,
    inputs: [...bundle.inputs].map(([path, hash]) => [relativeTo(folder, path), hash] as const),
    code: bundle.code,
  }
}

function relativeTo(folder: string, path: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}

/** A shipped build brings its libraries along: they need not be installed, and are not looked at. */
function withoutLibraries(stored: StoredBuild | undefined): StoredBuild | undefined {
  return (
    stored && {
      ...stored,
      inputs: stored.inputs.filter(([path]) => !/(^|[\\/])node_modules[\\/]/.test(path)),
    }
  )
}

function isCurrent(folder: string, stored: StoredBuild): boolean {
  try {
    return stored.inputs.every(([path, hash]) => hashOf(readFileSync(resolve(folder, path))) === hash)
  } catch {
    return false
  }
}

function toBundle(folder: string, stored: StoredBuild): Bundle {
  return {
    code: stored.code,
    hash: hashOf(stored.code),
    inputs: new Map(stored.inputs.map(([path, hash]) => [resolve(folder, path), hash])),
  }
}

async function readStored(file: string): Promise<StoredBuild | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (!isRecord(value) || typeof value.key !== 'string' || typeof value.code !== 'string') return undefined
    if (!Array.isArray(value.inputs) || !value.inputs.every(isPair)) return undefined
    return { key: value.key, code: value.code, inputs: value.inputs }
  } catch {
    return undefined
  }
}

function isPair(value: unknown): value is readonly [string, string] {
  return (
    Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'string'
  )
}
