import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import { systemCode } from '../base/errors.ts'
import type { PluginSource } from '../registry/contribution.ts'

/** The code of the finding that a folder of `--plugin` is no plugin: then amber does not start (interfaces 2). */
export const NOT_GIVEN = 'AMB3008'

/** A folder with a `plugin.json`. */
export interface PluginFolder {
  /** Real path: one folder by two spellings is one plugin (architecture 3, rule 9). */
  readonly folder: string
  readonly source: PluginSource
}

/** What looking around found, in registration order, and what it could not read. */
export interface Discovery {
  readonly folders: readonly PluginFolder[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Where plugins may be (interfaces 3). Absolute paths. */
export interface PluginPlaces {
  /** Parents of plugin folders, by source. A missing one is empty. */
  readonly parents: readonly { readonly folder: string; readonly source: PluginSource }[]
  /** Plugin folders given by name (`--plugin`). */
  readonly given: readonly string[]
}

/**
 * Finds plugin folders; links to folders count (L21), a dangling link is reported. Synchronous: it runs once at
 * start-up, where 500 folders in turn are faster than 500 promises.
 */
export function discover(places: PluginPlaces): Discovery {
  const folders: PluginFolder[] = []
  const diagnostics: Diagnostic[] = []
  const seen = new Set<string>()
  const add = (folder: string, source: PluginSource) => {
    const found = realFolder(folder)
    const wrong = found === undefined ? leadsNowhere(folder, source) : lookInto(found, source)
    if (wrong !== undefined) diagnostics.push(wrong)
    else if (found !== undefined && !seen.has(found) && holdsManifest(found)) {
      seen.add(found)
      folders.push({ folder: found, source })
    }
  }
  // The given ones first: a folder that is also found elsewhere counts as given (L11, L18).
  for (const folder of places.given) add(resolve(folder), 'flag')
  for (const { folder, source } of places.parents) {
    for (const name of listFolder(folder, diagnostics)) add(join(folder, name), source)
  }
  return { folders, diagnostics }
}

function listFolder(folder: string, diagnostics: Diagnostic[]): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((item) => (item.isDirectory() || item.isSymbolicLink()) && !item.name.startsWith('.'))
      .map((item) => item.name)
      .sort()
  } catch (thrown) {
    if (systemCode(thrown) !== 'ENOENT') {
      diagnostics.push(
        unreadable(folder, `${folder} cannot be listed (${systemCode(thrown)})`, 'check its permissions'),
      )
    }
    return []
  }
}

function realFolder(folder: string): string | undefined {
  try {
    // The native one asks the system once instead of once for each folder on the way.
    return realpathSync.native(folder)
  } catch {
    return undefined
  }
}

const NAME_THE_FOLDER = 'give --plugin the folder that holds plugin.json'

function leadsNowhere(folder: string, source: PluginSource): Diagnostic {
  return source === 'flag'
    ? unreadable(folder, `there is no folder ${folder}`, NAME_THE_FOLDER, NOT_GIVEN)
    : unreadable(
        folder,
        `${folder} is a link that leads nowhere`,
        'remove the link, or make what it points to',
      )
}

/** Why a folder cannot be looked into; one that was not asked for may hold something else than a plugin. */
function lookInto(folder: string, source: PluginSource): Diagnostic | undefined {
  const code = source === 'flag' ? NOT_GIVEN : undefined
  try {
    statSync(join(folder, 'plugin.json'))
    return undefined
  } catch (thrown) {
    const why = systemCode(thrown)
    if (why !== 'ENOENT' && why !== 'ENOTDIR')
      return unreadable(folder, `${folder} cannot be looked into (${why})`, 'check its permissions', code)
    return source === 'flag'
      ? unreadable(folder, `${folder} holds no plugin.json`, NAME_THE_FOLDER, code)
      : undefined
  }
}

function holdsManifest(folder: string): boolean {
  return existsSync(join(folder, 'plugin.json'))
}

function unreadable(file: string, message: string, hint: string, code = 'AMB3005'): Diagnostic {
  return { severity: 'error', code, file, line: 1, column: 1, path: '', message, hint }
}
