import { createHash } from 'node:crypto'
import { opendir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'

/** The files of a folder: a content hash by path relative to it, with `/`. A link counts by where it points. */
export type FolderContent = Readonly<Record<string, string>>

/** More files than this nobody has looked at; the rest is marked so that it never compares equal. */
const MOST_FILES = 20_000

/** Folders that no code of a plugin is loaded from. The link to amber's SDK is amber's own work. */
const LEFT_OUT = new Set(['.git', 'node_modules/amber-agent'])

/** Hashes every file of a folder. Links are not followed. Rejects with the system's error. */
export async function hashFolder(folder: string): Promise<FolderContent> {
  const found: Record<string, string> = {}
  let count = 0
  const walk = async (below: string): Promise<void> => {
    for await (const entry of await opendir(join(folder, below))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (LEFT_OUT.has(path)) continue
      if (++count > MOST_FILES) {
        found['…'] = `more than ${MOST_FILES} files ${Math.random()}`
        return
      }
      if (entry.isDirectory()) await walk(path)
      else if (entry.isSymbolicLink()) found[path] = hashContent(`link ${await readlink(join(folder, path))}`)
      else if (entry.isFile()) found[path] = hashContent(await readFile(join(folder, path)))
      else found[path] = 'special'
    }
  }
  await walk('')
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The paths that differ between two contents: changed, new or gone. */
export function changedPaths(before: FolderContent, now: FolderContent): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...paths].filter((path) => before[path] !== now[path]).sort()
}

/** The hash that builds are compared by too: 128 bits, written in 22 characters. */
function hashContent(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22)
}
