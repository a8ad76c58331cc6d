import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AmberError, systemCode } from '../host/base/errors.ts'
import type { WatchedFolder } from './watched-folder.ts'

/** Where to look. */
export interface FolderPlaces {
  /** As given on the command line; may be empty. */
  readonly given: readonly string[]
  /** The folder that the command stands in. */
  readonly cwd: string
  readonly workspace: string
}

/**
 * The folders that `amber dev` watches (interfaces 7): those given; else the one it stands in; else the workspace's
 * plugins. Given is trusted (SAFE-4). Throws an AmberError of code `configuration` when there is nothing to watch.
 */
export function findFolders({ given, cwd, workspace }: FolderPlaces): readonly WatchedFolder[] {
  if (given.length > 0) {
    const folders = [...new Set(given.map((one) => resolve(cwd, one)))]
    return folders.map((one) => toWatched(checked(one)))
  }
  if (holdsPlugin(cwd)) return [toWatched(realpathSync(cwd))]
  for (const parent of [join(workspace, '.amber', 'plugins'), workspace]) {
    if (pluginsIn(parent).length > 0) return [toWatched(realpathSync(parent))]
  }
  throw new AmberError(
    'configuration',
    `There is no plugin to watch: no plugin.json in ${cwd}, in ${join(workspace, '.amber', 'plugins')} or in a sub-folder of ${workspace}.`,
    'Name a plugin folder: amber dev DIR. Or begin one: amber new plugin ID',
  )
}

function toWatched(folder: string): WatchedFolder {
  return { folder, source: 'flag', isParent: !holdsPlugin(folder), takesNew: true }
}

function checked(folder: string): string {
  try {
    readdirSync(folder)
    return folder
  } catch (thrown) {
    const code = systemCode(thrown)
    const what =
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `There is no folder ${folder}.`
        : `The folder ${folder} cannot be looked into (${code}).`
    const hint = 'Give the folder that holds plugin.json, or the folder that such folders are in.'
    throw new AmberError('configuration', what, hint, thrown)
  }
}

/** Why nothing of a watched folder goes live yet; undefined when it holds a plugin. */
export function emptyNotice({ folder, isParent }: WatchedFolder): string | undefined {
  if (!isParent || pluginsIn(folder).length > 0) return undefined
  return `there is no plugin in ${folder} yet: one goes live as soon as it is there (amber new plugin ID --dir ${join(folder, 'ID')})`
}

function holdsPlugin(folder: string): boolean {
  return existsSync(join(folder, 'plugin.json'))
}

function pluginsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => holdsPlugin(join(folder, name)))
  } catch {
    return []
  }
}
