import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { BuildFailure, Message, Metafile } from 'esbuild'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import { messageOf } from '../base/errors.ts'
import { hashOf } from './content-hash.ts'
import { META_URL_NAME } from './evaluate.ts'

/** What is built: one entry, in its plugin's folder. */
export interface BuildRequest {
  /** Absolute. */
  readonly folder: string
  /** Relative to the folder, as the manifest says. */
  readonly entry: string
  readonly external: readonly string[]
  /** Where findings with no better place are shown. */
  readonly manifestFile: string
}

/** A bundle, or why there is none. `inputs` are absolute: what to watch, also after a failure (architecture 3). */
export type BuildResult =
  | {
      readonly ok: true
      readonly code: string
      readonly hash: string
      readonly inputs: readonly string[]
      readonly diagnostics: readonly Diagnostic[]
    }
  | FailedBuild

/** Why there is no bundle. */
export interface FailedBuild {
  readonly ok: false
  readonly inputs: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** How files that are no code are imported: as their text. */
export const TEXT_LOADERS = { '.md': 'text', '.txt': 'text', '.html': 'text', '.sql': 'text' } as const

/** Packages that the host lends to every plugin, so that they are one thing in the process. */
export const SHARED_PACKAGES = ['amber-agent/sdk', 'amber-agent/sdk/testing'] as const

/** Bundles an entry to one CommonJS text, in memory. Never throws; esbuild is loaded at the first call. */
export async function buildEntry(request: BuildRequest): Promise<BuildResult> {
  const { build } = await import('esbuild')
  try {
    const result = await build({
      absWorkingDir: request.folder,
      entryPoints: [resolve(request.folder, request.entry)],
      outfile: join(request.folder, 'plugin.bundle.cjs'),
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'silent',
      loader: TEXT_LOADERS,
      // A bare import() would throw in a compiled text; as require it works.
      supported: { 'dynamic-import': false },
      define: {
        'import.meta.url': META_URL_NAME,
        'import.meta.dirname': '__dirname',
        'import.meta.filename': '__filename',
      },
      external: [...SHARED_PACKAGES, ...request.external],
    })
    const code = result.outputFiles[0]?.text ?? ''
    return {
      ok: true,
      code,
      hash: hashOf(code),
      inputs: absoluteInputs(request.folder, result.metafile),
      diagnostics: result.warnings.map((message) => diagnoseMessage(request, 'warning', message)),
    }
  } catch (thrown) {
    return explainFailure(request, thrown)
  }
}

/** The files that a bundle was made of, absolute. */
export function absoluteInputs(folder: string, metafile: Metafile): readonly string[] {
  return Object.keys(metafile.inputs)
    .filter((name) => !name.includes('<') && !/^[a-z]+:/.test(name))
    .map((name) => resolve(folder, name))
}

/** A failed build as findings, and what to watch for its mending. */
export function explainFailure(request: BuildRequest, thrown: unknown): FailedBuild {
  if (!isBuildFailure(thrown)) {
    const message = `the build did not run: ${messageOf(thrown)}`
    return {
      ok: false,
      inputs: [],
      diagnostics: [diagnoseMessage(request, 'error', { text: message, location: null, notes: [] })],
    }
  }
  return {
    ok: false,
    inputs: thrown.errors.flatMap((message) => placesToWatch(request, message)),
    diagnostics: [
      ...thrown.errors.map((message) => diagnoseMessage(request, 'error', message)),
      ...thrown.warnings.map((message) => diagnoseMessage(request, 'warning', message)),
    ],
  }
}

function isBuildFailure(thrown: unknown): thrown is BuildFailure {
  return thrown instanceof Error && 'errors' in thrown && Array.isArray(thrown.errors)
}

/** The endings under which an import without one may appear. */
const ENDINGS = [
  '',
  '.ts',
  '.tsx',
  '.mts',
  '.js',
  '.mjs',
  '.cjs',
  '.json',
  '/index.ts',
  '/index.js',
  '/package.json',
]

/** The file that is wrong, and for an import that leads nowhere every path at which it could appear. */
function placesToWatch(request: BuildRequest, message: Message): readonly string[] {
  const file = resolve(request.folder, message.location?.file ?? request.entry)
  const missing = /Could not resolve "(.+?)"/.exec(message.text)?.[1]
  if (!missing) return [file]
  const isPath = missing.startsWith('.') || isAbsolute(missing)
  const base = isPath
    ? resolve(dirname(file), missing)
    : join(request.folder, 'node_modules', packageOf(missing))
  return [file, ...ENDINGS.map((ending) => base + ending)]
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** What to do about a failure of the build; what the builder notes where it notes something. */
function hintOf({ text, notes }: PartialMessage): string {
  if (/[Tt]op-level await/.test(text))
    return 'a plugin loads without top-level await: make the function given to definePlugin async and await there'
  const missing = /Could not resolve "(.+?)"/.exec(text)?.[1]
  if (missing !== undefined && (missing.startsWith('.') || isAbsolute(missing)))
    return 'create the file, or correct the path'
  if (missing !== undefined) return `install it in the plugin's folder: npm install ${packageOf(missing)}`
  return (
    notes.map((note) => note.text).join(' ') ||
    'mend this line and save; the last good version answers meanwhile'
  )
}

type PartialMessage = Pick<Message, 'text' | 'location' | 'notes'>

function diagnoseMessage(
  request: BuildRequest,
  severity: Diagnostic['severity'],
  message: PartialMessage,
): Diagnostic {
  const { location } = message
  const hint = hintOf(message)
  return {
    severity,
    code: 'AMB3001',
    file: location ? resolve(request.folder, location.file) : request.manifestFile,
    line: location ? location.line : 1,
    column: location ? location.column + 1 : 1,
    path: location ? '' : 'entry',
    message: message.text,
    ...(hint ? { hint } : {}),
    ...(location && location.length > 0 ? { length: location.length } : {}),
  }
}
