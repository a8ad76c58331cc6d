import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '../../sdk/index.ts'
import { writeFileAtomic } from '../base/atomic-file.ts'
import type { Clock } from '../base/clock.ts'
import { AmberError, messageOf, systemCode } from '../base/errors.ts'
import { withFileLock } from '../base/file-lock.ts'
import { type FolderContent, hashFolder } from './folder-content.ts'
import { pluginFoldersOf } from './workspace-plugins.ts'

/** A folder that the user trusted, and what each of its plugins was made of at that moment. */
export interface TrustedFolder {
  /** Real path. */
  readonly folder: string
  /** When, ISO 8601. */
  readonly since: string
  /** Content by the real path of the plugin's folder; the manifest in it says the id (SAFE-4: changed code asks again). */
  readonly plugins: Readonly<Record<string, FolderContent>>
}

/** Which folders' plugins, skills and AGENTS.md the user allowed amber to use (contract SAFE-4). */
export interface Trust {
  /** Whether a folder is trusted. False when the file cannot be read: it fails closed. */
  isTrusted(folder: string): Promise<boolean>
  /** What a plugin of a trusted folder was made of when it was trusted; undefined when it was not there. */
  contentOf(folder: string, pluginFolder: string): Promise<FolderContent | undefined>
  list(): Promise<readonly TrustedFolder[]>
  /** Trusts a folder and what is in it now. Rejects with an AmberError when it is no folder. */
  add(folder: string): Promise<TrustedFolder>
  /** False when it was not trusted. */
  remove(folder: string): Promise<boolean>
}

/** Opens `<state>/trust.json`; nothing is read before it is asked for. */
export function createTrust(deps: { readonly state: string; readonly clock: Clock }): Trust {
  const file = join(deps.state, 'trust.json')
  const change = (next: (now: readonly TrustedFolder[]) => readonly TrustedFolder[]) =>
    withFileLock(file, deps.clock, async () => {
      const folders = next(await load(file))
      await writeFileAtomic(file, `${JSON.stringify({ version: 1, folders }, null, 2)}\n`)
    })
  const find = async (folder: string) => {
    const real = await realpath(folder).catch(() => undefined)
    const all = real === undefined ? [] : await load(file).catch(() => [])
    return all.find((one) => one.folder === real)
  }
  return {
    isTrusted: async (folder) => (await find(folder)) !== undefined,
    contentOf: async (folder, pluginFolder) => {
      const plugins = (await find(folder))?.plugins ?? {}
      return Object.hasOwn(plugins, pluginFolder) ? plugins[pluginFolder] : undefined
    },
    list: () => load(file),
    async add(folder) {
      const trusted = await describe(folder, deps.clock)
      await change((now) => [...now.filter((one) => one.folder !== trusted.folder), trusted])
      return trusted
    },
    async remove(folder) {
      const real = await realpath(folder).catch(() => folder)
      if (!(await load(file)).some((one) => one.folder === real)) return false
      await change((now) => now.filter((one) => one.folder !== real))
      return true
    },
  }
}

async function describe(folder: string, clock: Clock): Promise<TrustedFolder> {
  let real: string
  try {
    real = await realpath(folder)
  } catch (thrown) {
    throw new AmberError(
      'failed',
      `${folder} cannot be trusted: ${messageOf(thrown)}`,
      'Name a folder that exists.',
      thrown,
    )
  }
  const plugins: Record<string, FolderContent> = {}
  for (const place of await pluginFoldersOf(real)) plugins[place] = await hashFolder(place)
  return { folder: real, since: new Date(clock.now()).toISOString(), plugins }
}

/** Rejects with an AmberError when the file is there and cannot be believed. */
async function load(file: string): Promise<readonly TrustedFolder[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return []
    throw broken(file, thrown)
  }
  try {
    const value: unknown = JSON.parse(text)
    const folders = isRecord(value) && Array.isArray(value.folders) ? value.folders : undefined
    if (folders === undefined) throw new Error('it has no list of folders')
    return folders.flatMap(readFolder)
  } catch (thrown) {
    throw broken(file, thrown)
  }
}

function broken(file: string, thrown: unknown): AmberError {
  return new AmberError(
    'failed',
    `${file} cannot be read: ${messageOf(thrown)}`,
    'Mend it or move it away; until then no workspace is trusted.',
    thrown,
  )
}

function readFolder(value: unknown): readonly TrustedFolder[] {
  if (!isRecord(value) || typeof value.folder !== 'string') return []
  const plugins = isRecord(value.plugins) ? Object.entries(value.plugins) : []
  return [
    {
      folder: value.folder,
      since: typeof value.since === 'string' ? value.since : '',
      plugins: Object.fromEntries(plugins.map(([place, files]) => [place, readContent(files)])),
    },
  ]
}

function readContent(value: unknown): FolderContent {
  const files = isRecord(value) ? Object.entries(value) : []
  return Object.fromEntries(files.flatMap(([path, hash]) => (typeof hash === 'string' ? [[path, hash]] : [])))
}
