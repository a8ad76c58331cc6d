import { join, sep } from 'node:path'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import { readRegularFile } from '../base/read-regular-file.ts'
import { placeOfHandler } from './handler-place.ts'
import { manifestFileOf } from './live-plugin.ts'

/** Whose findings they are, and what its code is made of. */
export interface FoundIn {
  readonly folder: string
  /** Absolute. */
  readonly inputs: Iterable<string>
}

/** Files of a plugin that are looked through for one finding. */
const MAX_FILES = 200

/**
 * Gives findings about what the manifest declares, and about handlers of the code, the lines that they are about
 * (SWAP-10). Those whose place is not found stay as they are.
 */
export async function placeFindings(
  diagnostics: readonly Diagnostic[],
  plugin: FoundIn,
): Promise<readonly Diagnostic[]> {
  if (!diagnostics.some(isUnplaced)) return diagnostics
  const file = manifestFileOf(plugin)
  const text = textOf(file)
  if (text === undefined) return diagnostics
  const { placeDiagnostics } = await import('../../manifests/place-diagnostics.ts')
  const inManifest = await placeDiagnostics(diagnostics, { text, file })
  return inManifest.map((one) => (isUnplaced(one) && one.file !== file ? placedInCode(one, plugin) : one))
}

function isUnplaced({ line, column, path }: Diagnostic): boolean {
  return line === 1 && column === 1 && path !== ''
}

/** A handler stands in the entry, or in a file of the author's that the entry takes it from. */
function placedInCode(diagnostic: Diagnostic, { folder, inputs }: FoundIn): Diagnostic {
  const names = keysOf(diagnostic.path)
  const own = [...inputs].filter((file) => isOwn(file, folder)).slice(0, MAX_FILES)
  for (const file of new Set([diagnostic.file, ...own])) {
    const text = textOf(file)
    const place = text === undefined ? undefined : placeOfHandler(text, names)
    if (place) return { ...diagnostic, file, ...place }
  }
  return diagnostic
}

/** Reads what `nameOf` wrote: `commands.weather['config.set']`. */
function keysOf(path: string): readonly string[] {
  return [...path.matchAll(/\['([^']*)'\]|([A-Za-z_$][\w$]*)/g)].map(
    ([, quoted, plain = '']) => quoted ?? plain,
  )
}

function isOwn(file: string, folder: string): boolean {
  return file.startsWith(folder + sep) && !file.includes(join(sep, 'node_modules', sep))
}

function textOf(path: string): string | undefined {
  const file = readRegularFile(path)
  return 'bytes' in file ? file.bytes.toString('utf8') : undefined
}
