import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import { messageOf, systemCode } from '../base/errors.ts'
import type { Owner } from './owner.ts'

/** One place in a source file. Lines and columns from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

const FRAME = /(?:\(|at (?:async )?)((?:file:\/\/)?\/?[^()\s][^()]*?):(\d+):(\d+)\)?$/

/** The places that a stack names, innermost first. Node has mapped them to the author's files already (SWAP-10). */
export function placesOf(thrown: unknown): readonly Place[] {
  if (!(thrown instanceof Error) && !hasStack(thrown)) return []
  const stack = String(thrown.stack ?? '')
  const places: Place[] = []
  for (const line of stack.split('\n').slice(0, 60)) {
    const match = FRAME.exec(line.trim())
    const [, file, row, column] = match ?? []
    if (file && row && column)
      places.push({ file: localPath(file), line: Number(row), column: Number(column) })
  }
  return places
}

function hasStack(value: unknown): value is { readonly stack: unknown } {
  return typeof value === 'object' && value !== null && 'stack' in value
}

function localPath(file: string): string {
  if (!file.startsWith('file://')) return file
  try {
    return fileURLToPath(file)
  } catch {
    return file
  }
}

/** Whether a stack passes through a plugin's folder: how a stray exception finds its owner. */
export function comesFrom(thrown: unknown, folder: string): boolean {
  return placesOf(thrown).some((place) => place.file.startsWith(folder + sep))
}

/** A finding about something that a plugin threw, at the author's line where the stack names one. */
export function diagnoseThrown(owner: Owner, label: string, thrown: unknown): Diagnostic {
  const places = placesOf(thrown)
  const place =
    places.find(
      (one) => one.file.startsWith(owner.folder + sep) && !one.file.includes(`${sep}node_modules${sep}`),
    ) ?? places.find((one) => one.file.startsWith(owner.folder + sep))
  return {
    severity: 'error',
    code: 'AMB4001',
    file: place?.file ?? owner.manifestFile,
    line: place?.line ?? 1,
    column: place?.column ?? 1,
    path: '',
    message: `plugin ${owner.plugin}: ${label}: ${messageOf(thrown)}`,
    ...hintFor(thrown),
  }
}

/** What to do about a package that cannot be loaded, by Node's code for why (nodejs.org/api/errors.html). */
const PACKAGE_HINTS: Readonly<Record<string, string>> = {
  ERR_PACKAGE_PATH_NOT_EXPORTED:
    'a package in "external" is loaded with require(), and this one is made for import alone: take it out of "external", so that it is built in',
  ERR_REQUIRE_ESM:
    'a package in "external" is loaded with require(), and this one is made for import alone: take it out of "external", so that it is built in',
  ERR_REQUIRE_ASYNC_MODULE:
    'a package in "external" is loaded with require(), and this one awaits while it loads: take another version of it',
  MODULE_NOT_FOUND: 'packages in "external" are looked for from the plugin\'s folder: npm install it there',
  ERR_DLOPEN_FAILED: "it was built for another Node.js or machine: npm rebuild in the plugin's folder",
}

function hintFor(thrown: unknown): { readonly hint?: string } {
  const code = systemCode(thrown)
  const hint = code !== undefined && Object.hasOwn(PACKAGE_HINTS, code) ? PACKAGE_HINTS[code] : undefined
  return hint === undefined ? {} : { hint }
}
