import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Diagnostic } from '../../../manifests/diagnostic.ts'
import type { Manifest } from '../../../manifests/manifest.ts'
import { AmberError, messageOf } from '../../base/errors.ts'
import { linkAmber, type TypesOutcome, writeTypes } from '../../plugin/author-files.ts'
import type { CliContext } from '../context.ts'
import { validateFolder } from './validate.ts'

/** An author's folder, made ready: link and types are those of this amber and this manifest. */
export type AuthorFolder =
  | { readonly kind: 'ready'; readonly folder: string; readonly types: TypesOutcome }
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] }

/** Refreshes the link and the generated types of a plugin folder (interfaces 6). Rejects with an AmberError when it cannot be written. */
export async function refreshAuthorFolder(given: string, context: CliContext): Promise<AuthorFolder> {
  const folder = await realFolder(resolve(context.io.cwd, given))
  const { manifest, diagnostics } = await validateFolder(folder, context.installation.version)
  if (manifest === undefined) return { kind: 'invalid', diagnostics }
  return { kind: 'ready', folder, types: await refresh(folder, manifest, context) }
}

async function refresh(folder: string, manifest: Manifest, context: CliContext): Promise<TypesOutcome> {
  try {
    await linkAmber(folder, context.installation.folder)
    return await writeTypes(folder, manifest)
  } catch (thrown) {
    throw new AmberError(
      'failed',
      `${folder} cannot be written: ${messageOf(thrown)}`,
      'Check its permissions.',
      thrown,
    )
  }
}

/** The real path of an author's folder. Rejects with an AmberError when there is none. */
export async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch {
    throw new AmberError('failed', `There is no folder ${folder}.`, 'Name the folder that holds plugin.json.')
  }
}
