import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { checkFiles } from '../../../manifests/check-files.ts'
import { type Diagnostic, hasErrors } from '../../../manifests/diagnostic.ts'
import { summary } from '../../../manifests/frame.ts'
import type { Manifest } from '../../../manifests/manifest.ts'
import { readManifest } from '../../../manifests/read-manifest.ts'
import { AmberError, messageOf, systemCode } from '../../base/errors.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { CliContext } from '../context.ts'
import { pathsOf } from '../open-app.ts'
import { json } from './shape.ts'
import { showDiagnostics, toJson } from './show-diagnostics.ts'

/** A manifest that was looked at: everything there is to say about it, and what it says if it is usable. */
export interface Validated {
  readonly file: string
  readonly manifest: Manifest | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** `amber plugin validate [DIR…]`: all that is wrong, at once, each over its line (MAN-1). Exit code 1 on errors. */
export async function validate(
  options: { readonly folders: readonly string[]; readonly json?: boolean },
  context: CliContext,
): Promise<number> {
  const { io } = context
  const folders =
    options.folders.length > 0
      ? options.folders.map((folder) => resolve(io.cwd, folder))
      : await foldersHere(context)
  const results: Validated[] = []
  for (const folder of folders) results.push(await validateFolder(folder, context.installation.version))
  const diagnostics = results.flatMap((one) => one.diagnostics)
  if (options.json) {
    io.out.write(
      json(
        results.map((one) => ({
          file: one.file,
          ok: !hasErrors(one.diagnostics),
          diagnostics: one.diagnostics.map(toJson),
        })),
      ),
    )
  } else {
    showDiagnostics(io, io.out, diagnostics)
    io.out.write(`${summary(diagnostics, results.length)}\n`)
  }
  return hasErrors(diagnostics) ? EXIT.failed : EXIT.done
}

/**
 * Looks at one plugin folder, or at a plugin.json that is named itself; an absent file is a finding too. `installed`:
 * it was not written here, so keys of a newer amber are warnings (MAN-7).
 */
export async function validateFolder(
  folder: string,
  amberVersion: string,
  options: { readonly installed?: boolean } = {},
): Promise<Validated> {
  const file = basename(folder) === 'plugin.json' ? folder : join(folder, 'plugin.json')
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (thrown) {
    return { file, manifest: undefined, diagnostics: [unreadable(file, thrown)] }
  }
  const { manifest, diagnostics } = await readManifest(text, file, { amberVersion, ...options })
  const missing = await checkFiles(text, file, (named) => existsSync(join(dirname(file), named)))
  const all = [...diagnostics, ...missing].sort((a, b) => a.line - b.line || a.column - b.column)
  return { file, manifest: hasErrors(all) ? undefined : manifest, diagnostics: all }
}

function unreadable(file: string, thrown: unknown): Diagnostic {
  const code = systemCode(thrown)
  const isAbsent = code === 'ENOENT' || code === 'ENOTDIR'
  return {
    severity: 'error',
    code: 'AMB3005',
    file,
    line: 1,
    column: 1,
    path: '',
    message: isAbsent ? 'there is no plugin.json' : `the manifest cannot be read: ${messageOf(thrown)}`,
    hint: isAbsent ? 'name the folder that holds it, or make one: amber new plugin' : 'check its permissions',
  }
}

/** Without a folder: the one it stands in, else the workspace's own plugins. */
async function foldersHere(context: CliContext): Promise<readonly string[]> {
  const { io } = context
  if (existsSync(join(io.cwd, 'plugin.json'))) return [io.cwd]
  const parent = join(pathsOf(context).workspace, '.amber', 'plugins')
  const names = await readdir(parent).catch((): string[] => [])
  const folders = names
    .sort()
    .map((name) => join(parent, name))
    .filter((folder) => existsSync(join(folder, 'plugin.json')))
  if (folders.length > 0) return folders
  throw new AmberError(
    'failed',
    `There is no plugin in ${io.cwd}, nor in ${parent}.`,
    'Name its folder: amber plugin validate DIR',
  )
}
