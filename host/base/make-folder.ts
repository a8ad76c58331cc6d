import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { systemCode } from './errors.ts'

/**
 * Makes a folder and whatever is missing above it; one that is there already is fine. Throws the system's error.
 *
 * Node's own recursive mkdir never returns where the parent is there and still says ENOENT to a new child, as /proc and
 * other generated file systems do: it takes turns between the two for ever.
 */
export function makeFolder(path: string, options: { readonly mode?: number } = {}): void {
  const missing: string[] = []
  let folder = resolve(path)
  while (!isThere(folder)) {
    missing.unshift(folder)
    if (dirname(folder) === folder) break
    folder = dirname(folder)
  }
  for (const one of missing) {
    try {
      mkdirSync(one, { mode: options.mode ?? 0o777 })
    } catch (thrown) {
      if (systemCode(thrown) !== 'EEXIST') throw thrown
    }
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (thrown) {
    // Below a file there is nothing, and nothing can be made: mkdir says so in the system's words.
    return systemCode(thrown) !== 'ENOTDIR'
  }
}
