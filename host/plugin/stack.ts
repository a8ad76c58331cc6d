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
    file: place?.file ?? owner.entryFile ?? owner.manifestFile,
    line: place?.line ?? 1,
    column: place?.column ?? 1,
    path: '',
    message: `plugin ${owner.plugin}: ${label}: ${messageOf(thrown)}`,
    ...hintFor(label, thrown),
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

/** What to do about a throw where amber runs a plugin's code without being asked by anybody. */
const LABEL_HINTS: Readonly<Record<string, string>> = {
  load: 'what runs when the file is loaded must not fail: do it in the function given to definePlugin, or when it is needed',
  activation:
    "catch what can fail, or put decline('why') where a handler would stand that has nothing to offer here",
  dispose: 'dispose must not fail: catch what can, since nothing comes after it',
}

/** The same by what kind of thing the label names: `status segment NAME`. */
const KIND_HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /^(status segment|panel|prompt block) /,
    'rendering must not fail: show nothing, or what went wrong, instead',
  ],
  [/^tool /, 'return { ok: false, error } instead of throwing: the model reads it'],
]

const NO_PLUGIN_HINT = "the entry's default export is what definePlugin returns"
const LATE_HINT =
  'answer first and do slow work when it is needed, or raise "activationTimeoutMs" (10000 at most)'
const EXIT_HINT = "a plugin that has nothing to offer here answers decline('why')"

function hintFor(label: string, thrown: unknown): { readonly hint?: string } {
  const code = systemCode(thrown)
  const ofPackage = code !== undefined && Object.hasOwn(PACKAGE_HINTS, code) ? PACKAGE_HINTS[code] : undefined
  const hint = ofPackage ?? hintForMessage(label, thrown) ?? hintForLabel(label)
  return hint === undefined ? {} : { hint }
}

function hintForMessage(label: string, thrown: unknown): string | undefined {
  if (thrown instanceof Error && thrown.name === 'ExitRefused') return EXIT_HINT
  const message = messageOf(thrown)
  if (label === 'load' && message.startsWith('the entry exports no plugin')) return NO_PLUGIN_HINT
  return label === 'activation' && message.startsWith('did not finish within') ? LATE_HINT : undefined
}

function hintForLabel(label: string): string | undefined {
  if (Object.hasOwn(LABEL_HINTS, label)) return LABEL_HINTS[label]
  return KIND_HINTS.find(([kind]) => kind.test(label))?.[1]
}
