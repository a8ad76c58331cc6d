import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { type IgnoreRules, isIgnored, rulesAbove, rulesIn } from './ignore-rules.ts'

/** A regular file of the workspace. */
export interface FoundFile {
  /** Relative to the root, with `/`. */
  readonly path: string
  readonly stats: Stats
}

/** Never entered: git's own, and what package managers fill. */
const CLOSED = new Set(['.git', '.hg', '.svn', 'node_modules'])

/** The regular files below a folder that no ignore file leaves out; links are not followed. */
export function* walk(root: string): Generator<FoundFile> {
  yield* walkFolder(root, '', rulesAbove(root))
}

function* walkFolder(folder: string, shown: string, above: IgnoreRules | undefined): Generator<FoundFile> {
  const entries = entriesOf(folder)
  const rules = rulesIn(folder, new Set(entries.map((one) => one.name)), above)
  for (const entry of entries) {
    const isFolder = entry.isDirectory()
    if (isFolder ? CLOSED.has(entry.name) : !entry.isFile()) continue
    const path = join(folder, entry.name)
    if (isIgnored(rules, path, isFolder)) continue
    const relative = shown === '' ? entry.name : `${shown}/${entry.name}`
    if (isFolder) {
      yield* walkFolder(path, relative, rules)
      continue
    }
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats?.isFile()) yield { path: relative, stats }
  }
}

/** A folder that cannot be read has nothing to find. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
