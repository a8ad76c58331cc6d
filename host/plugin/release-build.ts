import { resolve } from 'node:path'
import {
  absoluteInputs,
  type BuildRequest,
  explainFailure,
  type FailedBuild,
  SHARED_PACKAGES,
  TEXT_LOADERS,
} from './build.ts'

/** An entry as it is published: one JavaScript module and its source map. */
export interface ReleaseBuild {
  readonly ok: true
  readonly code: string
  readonly map: string
  /** What it was made of, absolute. */
  readonly inputs: readonly string[]
}

/** What a CommonJS library in the bundle needs, which calls `require` for Node's own modules. */
const REQUIRE = `import { createRequire as amberCreateRequire } from 'node:module';const require = amberCreateRequire(import.meta.url);`

/** The bundle's name in a published plugin. */
export const ENTRY_FILE = 'index.js'

/**
 * Bundles an entry to JavaScript that any amber loads, with all but the SDK and `external` in it. The map's sources are
 * named as from the plugin's own folder, so that a fault names the author's file wherever it is installed (SWAP-10).
 * Never throws; esbuild is loaded at the first call.
 */
export async function buildRelease(request: BuildRequest): Promise<ReleaseBuild | FailedBuild> {
  try {
    const plain = await bundle(request, '')
    return plain.code.includes('__require(') ? await bundle(request, REQUIRE) : plain
  } catch (thrown) {
    return explainFailure(request, thrown)
  }
}

async function bundle(request: BuildRequest, banner: string): Promise<ReleaseBuild> {
  const { build } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    absWorkingDir: request.folder,
    entryPoints: [resolve(request.folder, request.entry)],
    outfile: resolve(request.folder, ENTRY_FILE),
    // Nothing is written there.
    allowOverwrite: true,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'linked',
    charset: 'utf8',
    logLevel: 'silent',
    loader: TEXT_LOADERS,
    external: [...SHARED_PACKAGES, ...request.external],
    ...(banner === '' ? {} : { banner: { js: banner } }),
  })
  const textOf = (ending: string) => outputFiles.find((file) => file.path.endsWith(ending))?.text ?? ''
  return {
    ok: true,
    code: textOf('.js'),
    map: textOf('.js.map'),
    inputs: absoluteInputs(request.folder, metafile),
  }
}
