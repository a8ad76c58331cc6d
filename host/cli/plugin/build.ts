import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { Diagnostic } from '../../../manifests/diagnostic.ts'
import type { Manifest } from '../../../manifests/manifest.ts'
import { sanitiseText } from '../../base/sanitise.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { FailedBuild } from '../../plugin/build.ts'
import { buildRelease, ENTRY_FILE, type ReleaseBuild } from '../../plugin/release-build.ts'
import type { CliContext } from '../context.ts'
import { realFolder } from './author-folder.ts'
import { fillOutFolder } from './build/out-folder.ts'
import { pack } from './build/pack.ts'
import { releaseFiles } from './build/release-files.ts'
import { releaseManifest, releasePackage } from './build/release-manifest.ts'
import { tryStaged } from './install/check.ts'
import { filesBelow } from './install/folder-hash.ts'
import { json } from './shape.ts'
import { showDiagnostics, toJson } from './show-diagnostics.ts'
import { validateFolder } from './validate.ts'

/** The options of `amber plugin build` alone. */
export interface BuildOptions {
  readonly folder: string
  /** Where the result goes; `dist` in the plugin's folder unless said. */
  readonly out?: string
  /** Makes a `.tgz` beside the result, too. */
  readonly pack?: boolean
  readonly json?: boolean
}

/**
 * `amber plugin build DIR [--out DIR] [--pack]`: bundles the entry to JavaScript and puts it, the manifest and the data
 * files into a folder that is itself a plugin, and that loads. Exit code 1 with every finding when it cannot be built.
 */
export async function build(options: BuildOptions, context: CliContext): Promise<number> {
  const { io, installation } = context
  const folder = await realFolder(resolve(io.cwd, options.folder))
  const { manifest, diagnostics } = await validateFolder(folder, installation.version)
  if (manifest === undefined) return fail(diagnostics, options, context)
  const out = options.out === undefined ? join(folder, 'dist') : resolve(io.cwd, options.out)
  const bundle = await bundleEntry(folder, manifest)
  if (!bundle.ok) return fail([...diagnostics, ...bundle.diagnostics], options, context)
  await fillOutFolder(out, folder, (staging) => fill({ folder, out, staging, manifest, bundle }, context))
  const archive = options.pack ? await pack(out, dirname(out), manifest) : undefined
  await tell({ out, archive, manifest }, { options, diagnostics, context })
  return EXIT.done
}

interface Building {
  readonly folder: string
  readonly out: string
  readonly manifest: Manifest
}

/** A plugin that is data alone has no bundle. */
type Bundle =
  | ReleaseBuild
  | { readonly ok: true; readonly code?: undefined; readonly inputs: readonly string[] }

async function bundleEntry(folder: string, manifest: Manifest): Promise<Bundle | FailedBuild> {
  const { entry, external } = manifest
  if (entry === undefined) return { ok: true, inputs: [] }
  const manifestFile = join(folder, 'plugin.json')
  return buildRelease({ folder, entry, external, manifestFile })
}

async function fill(
  {
    folder,
    out,
    staging,
    manifest,
    bundle,
  }: Building & { readonly staging: string; readonly bundle: Bundle },
  context: CliContext,
): Promise<void> {
  if (bundle.code !== undefined) {
    await writeFile(join(staging, ENTRY_FILE), bundle.code)
    await writeFile(join(staging, `${ENTRY_FILE}.map`), bundle.map)
  }
  for (const file of await releaseFiles(folder, manifest, { inputs: bundle.inputs, out })) {
    await mkdir(dirname(join(staging, file)), { recursive: true })
    await copyFile(join(folder, file), join(staging, file))
  }
  await writeFile(join(staging, 'plugin.json'), await releaseManifest(join(folder, 'plugin.json'), manifest))
  await writeFile(join(staging, 'package.json'), await releasePackage(folder, manifest))
  // What needs packages beside it loads where they are installed.
  if (manifest.external.length > 0) return
  await tryStaged({ folder: staging, label: folder }, manifest, context)
}

function fail(diagnostics: readonly Diagnostic[], options: BuildOptions, { io }: CliContext): number {
  if (options.json) io.out.write(json({ ok: false, diagnostics: diagnostics.map(toJson) }))
  else showDiagnostics(io, io.err, diagnostics)
  return EXIT.failed
}

async function tell(
  result: { readonly out: string; readonly archive: string | undefined; readonly manifest: Manifest },
  how: {
    readonly options: BuildOptions
    readonly diagnostics: readonly Diagnostic[]
    readonly context: CliContext
  },
): Promise<void> {
  const { out, archive, manifest } = result
  const { io } = how.context
  const files = await filesBelow(out, '')
  if (how.options.json) {
    const { id, version } = manifest
    const packed = archive === undefined ? {} : { archive }
    io.out.write(
      json({ ok: true, id, version, path: out, files, ...packed, diagnostics: how.diagnostics.map(toJson) }),
    )
    return
  }
  showDiagnostics(io, io.err, how.diagnostics)
  const here = (path: string) => relative(io.cwd, path) || '.'
  io.out.write(sanitiseText(`${manifest.name} (${manifest.id}) ${manifest.version} is built:\n`))
  for (const file of files) io.out.write(sanitiseText(`  ${here(join(out, file))}\n`))
  if (archive !== undefined) io.out.write(sanitiseText(`packed as ${here(archive)}\n`))
  const what = archive ?? out
  io.out.write(sanitiseText(`\nNext:\n  amber plugin install ${here(what)}\n  npm publish ${here(what)}\n`))
}
