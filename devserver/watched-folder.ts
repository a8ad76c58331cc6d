import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { lookAt } from '../host/base/look-at.ts'
import type { PluginSource } from '../host/registry/contribution.ts'

/** A folder that is watched for plugins. */
export interface WatchedFolder {
  /** A plugin's own folder, or the parent of plugin folders. Absolute. */
  readonly folder: string
  readonly source: PluginSource
  readonly isParent: boolean
  /** False: plugins that come later are left alone, for nobody has trusted them yet (SAFE-4). */
  readonly takesNew: boolean
}

/** Whether the first path is the second, or a folder that it is in. */
export function isOrHolds(above: string, path: string): boolean {
  return path === above || path.startsWith(above + sep)
}

/** The folders that may hold a plugin, of those that a touched path is about. */
export function candidatesAt({ folder, isParent }: WatchedFolder, path: string): readonly string[] {
  if (!isOrHolds(path, folder) && !isOrHolds(folder, path)) return []
  if (!isParent) return [folder]
  if (path.length > folder.length) {
    const child = path.slice(folder.length + 1).split(sep)[0]
    return child === undefined || child === '' ? [] : [join(folder, child)]
  }
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.') && name !== 'node_modules')
      .sort()
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** Whether a folder holds a manifest. */
export function isThere(folder: string): boolean {
  return existsSync(join(folder, 'plugin.json'))
}

/** Whether there is a folder at a path, or a link to one. */
export function isFolder(path: string): boolean {
  return lookAt(path)?.isDirectory() ?? false
}

/** Where a path leads; undefined when it leads nowhere. */
export function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** A file’s text; undefined when it cannot be read. */
export function readOr(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
