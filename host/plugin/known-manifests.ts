import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../../sdk/index.ts'
import { writeFileAtomic } from '../base/atomic-file.ts'

/** Which manifest texts passed every check before, under this version of amber: they need none of them again. */
export interface KnownManifests {
  has(text: string): boolean
  /** Remembers a text without findings. */
  add(text: string): void
  /** Writes what was added; a failure is no fault, since it is only a cache. Never rejects. */
  save(): Promise<void>
}

/** Characters of all texts together that are kept; older ones are forgotten first. */
const MOST = 4_000_000

/**
 * The texts that amber ships (`shipped`, read only), and those in the user's cache. Read at the first question. They are
 * compared as they are: a hash would have to be a cryptographic one, and loading it takes longer than all the texts.
 */
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
    kept = readTexts(file, options.amberVersion)
    known = new Set([...readTexts(options.shipped, options.amberVersion), ...kept])
    return known
  }
  return {
    has: (text) => load().has(text),
    add(text) {
      if (load().has(text)) return
      known?.add(text)
      kept.push(text)
      added += 1
    },
    async save() {
      if (added === 0) return
      added = 0
      try {
        await writeFileAtomic(file, knownManifestsFile(options.amberVersion, newest(kept)))
      } catch {
        // Read only or full: the next start checks again.
      }
    },
  }
}

/** The text of the file. */
export function knownManifestsFile(amberVersion: string, texts: readonly string[]): string {
  return JSON.stringify({ amber: amberVersion, texts })
}

function readTexts(file: string, amberVersion: string): string[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isRecord(value) || value.amber !== amberVersion || !Array.isArray(value.texts)) return []
    return value.texts.filter((one) => typeof one === 'string')
  } catch {
    return []
  }
}

function newest(texts: readonly string[]): readonly string[] {
  let room = MOST
  const from = texts.findLastIndex((text) => {
    room -= text.length
    return room < 0
  })
  return texts.slice(from + 1)
}
