import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { lstat, rm, symlink } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { Manifest } from '../../manifests/manifest.ts'
import { writeFileAtomic } from '../base/atomic-file.ts'
import { makeFolder } from '../base/make-folder.ts'

/** The generated file beside a manifest (interfaces 5). */
export const TYPES_FILE = 'plugin.types.ts'

/** What became of a plugin's generated types. */
export interface TypesOutcome {
  /** `current`: the bytes on disk were right already, and were left alone (MAN-5). */
  readonly kind: 'written' | 'current'
  readonly file: string
  /** Schemas that could not be typed (MAN-4). */
  readonly diagnostics: readonly Diagnostic[]
}

/** Whether an author works on typed code here: the types file is there already, or the entry is TypeScript. */
export function isTyped(folder: string, manifest: Pick<Manifest, 'entry'>): boolean {
  return existsSync(join(folder, TYPES_FILE)) || /\.[cm]?tsx?$/.test(manifest.entry ?? '')
}

/** Whether `plugin.types.ts` holds what the manifest gives (`amber plugin types DIR --check`). */
export async function typesAreCurrent(folder: string, manifest: Manifest): Promise<boolean> {
  const { generateTypes } = await import('../../manifests/generate-types.ts')
  const { text } = await generateTypes(manifest, sourceOf(folder))
  return readOr(join(folder, TYPES_FILE)) === text
}

/** Writes `plugin.types.ts` when its bytes differ. Rejects with the system's error when the folder cannot be written. */
export async function writeTypes(folder: string, manifest: Manifest): Promise<TypesOutcome> {
  const { generateTypes } = await import('../../manifests/generate-types.ts')
  const { text, diagnostics } = await generateTypes(manifest, sourceOf(folder))
  const file = join(folder, TYPES_FILE)
  // A folder that was deleted in the meantime is not made again.
  if (readOr(file) === text || !existsSync(folder)) return { kind: 'current', file, diagnostics }
  await writeFileAtomic(file, text, { mode: 0o644 })
  return { kind: 'written', file, diagnostics }
}

/**
 * Makes `node_modules/amber-agent` a link to the running amber, so that types and schema resolve offline
 * (interfaces 6). A package that was installed there, there or above, is left alone; so is amber's own folder.
 * Rejects with the system's error when the folder cannot be written.
 */
export async function linkAmber(folder: string, installation: string): Promise<'made' | 'kept'> {
  const amber = realpathSync(installation)
  if (folder === amber || folder.startsWith(amber + sep) || !existsSync(folder)) return 'kept'
  const link = join(folder, 'node_modules', 'amber-agent')
  const found = lstatSync(link, { throwIfNoEntry: false })
  if (found === undefined ? isInstalledAbove(folder) : !found.isSymbolicLink() || leadsTo(link, amber))
    return 'kept'
  makeFolder(dirname(link))
  if (found !== undefined) await rm(link, { force: true })
  try {
    await symlink(amber, link, 'junction')
  } catch (thrown) {
    // Another amber made it in the meantime.
    if (!(await lstat(link).catch(() => undefined))?.isSymbolicLink()) throw thrown
  }
  return 'made'
}

function sourceOf(folder: string): { readonly file: string; readonly text: string } {
  const file = join(folder, 'plugin.json')
  return { file, text: readOr(file) ?? '{}' }
}

function leadsTo(link: string, amber: string): boolean {
  try {
    return readlinkSync(link) === amber || realpathSync(link) === amber
  } catch {
    return false
  }
}

function isInstalledAbove(folder: string): boolean {
  for (let above = dirname(folder); ; above = dirname(above)) {
    if (existsSync(join(above, 'node_modules', 'amber-agent', 'package.json'))) return true
    if (dirname(above) === above) return false
  }
}

function readOr(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
