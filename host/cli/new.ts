import { readdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { coreTree } from '../../manifests/core-tree.ts'
import type { Manifest } from '../../manifests/manifest.ts'
import { readManifest } from '../../manifests/read-manifest.ts'
import { AmberError, messageOf, systemCode } from '../base/errors.ts'
import { makeFolder } from '../base/make-folder.ts'
import { sanitiseText } from '../base/sanitise.ts'
import { table } from '../base/table.ts'
import { EXIT } from '../headless/exit-code.ts'
import { linkAmber, TYPES_FILE, writeTypes } from '../plugin/author-files.ts'
import type { CliContext } from './context.ts'
import { askWhatIsMissing } from './new/ask.ts'
import { composePlugin } from './new/compose.ts'
import { findNameConflict } from './new/name-conflicts.ts'
import { readCommonFiles, readTemplates, templateKinds } from './new/template.ts'
import { pathsOf } from './open-app.ts'

/** The options of `amber new plugin` alone. */
export interface NewOptions {
  /** Asked for on a terminal when absent. */
  readonly id?: string
  /** Kinds, comma-separated: `tool,command`. Asked for on a terminal when absent; else a tool. */
  readonly kind?: string
  /** The plugin's own folder; `./ID` when absent. */
  readonly dir?: string
  readonly js?: boolean
}

/** `amber new plugin`: writes a plugin that validates, type-checks, passes its test and runs (NEW-1). Gives the exit code. */
export async function run(options: NewOptions, context: CliContext): Promise<number> {
  const { io } = context
  const templates = join(context.installation.folder, 'templates')
  const all = await templateKinds(templates)
  const { id, kinds } = await askWhatIsMissing(options, all, context)
  const folder = resolve(io.cwd, options.dir ?? id)
  await mustBeFree(folder)
  const place = await realPlace(folder)
  const files = composePlugin({
    id,
    templates: await readTemplates(templates, kinds),
    common: await readCommonFiles(templates),
    js: options.js === true,
    amberVersion: context.installation.version,
    schema: await schemaOf(place, context.installation.folder),
  })
  const manifest = await readOwn(files, place, context)
  await mustHaveFreeNames(manifest, context)
  await write({ folder: place, files, manifest, installation: context.installation.folder })
  const shown = relative(io.cwd, folder) || '.'
  io.out.write(sanitiseText(report(id, shown.startsWith('..') ? folder : shown, files)))
  return EXIT.done
}

async function mustBeFree(folder: string): Promise<void> {
  try {
    const found = await readdir(folder)
    if (found.length === 0) return
    const hint = 'Name another folder with --dir DIR, or empty this one.'
    throw new AmberError('failed', `${folder} is not empty; nothing was written.`, hint)
  } catch (thrown) {
    if (thrown instanceof AmberError) throw thrown
    if (systemCode(thrown) === 'ENOENT') return
    throw cannotWrite(folder, thrown)
  }
}

function cannotWrite(folder: string, thrown: unknown): AmberError {
  const hint = 'Name a folder that can be written with --dir DIR.'
  return new AmberError('failed', `${folder} cannot be written: ${messageOf(thrown)}`, hint, thrown)
}

/** The real path of a folder that may not be there yet. */
async function realPlace(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch {
    const above = dirname(folder)
    return above === folder ? folder : join(await realPlace(above), folder.slice(above.length))
  }
}

/** Where the manifest finds its schema: through the link, or beside it in amber's own folder, which has no link. */
async function schemaOf(folder: string, installation: string): Promise<string> {
  const amber = await realpath(installation)
  if (!folder.startsWith(amber + sep)) return './node_modules/amber-agent/manifests/plugin.schema.json'
  return relative(folder, join(amber, 'manifests', 'plugin.schema.json')).replaceAll(sep, '/')
}

/** A manifest of our own making that is not valid is a bug. */
async function readOwn(
  files: ReadonlyMap<string, string>,
  folder: string,
  { installation }: CliContext,
): Promise<Manifest> {
  const { manifest, diagnostics } = await readManifest(
    files.get('plugin.json') ?? '',
    join(folder, 'plugin.json'),
    { amberVersion: installation.version },
  )
  if (manifest !== undefined) return manifest
  throw new Error(`the new manifest is not valid: ${diagnostics[0]?.path} ${diagnostics[0]?.message}`)
}

/** A plugin whose name another holds would be degraded from its first day. */
async function mustHaveFreeNames(manifest: Manifest, context: CliContext): Promise<void> {
  const conflict = await findNameConflict(manifest, {
    installation: context.installation.folder,
    config: pathsOf(context).config,
    commands: coreTree(),
    amberVersion: context.installation.version,
  })
  if (conflict === undefined) return
  const owner = conflict.owner === 'amber' ? 'amber itself' : `the plugin ${conflict.owner}`
  throw new AmberError(
    'failed',
    `The ${conflict.name} is already that of ${owner}; nothing was written.`,
    `Choose another id, for example: my_${manifest.id}`.slice(0, 80),
  )
}

async function write(plugin: {
  readonly folder: string
  readonly files: ReadonlyMap<string, string>
  readonly manifest: Manifest
  readonly installation: string
}): Promise<void> {
  const { folder, files } = plugin
  try {
    for (const [name, text] of files) {
      makeFolder(dirname(join(folder, name)))
      await writeFile(join(folder, name), text, { flag: 'wx' })
    }
    await writeTypes(folder, plugin.manifest)
    await linkAmber(folder, plugin.installation)
  } catch (thrown) {
    throw cannotWrite(folder, thrown)
  }
}

const ABOUT: readonly (readonly [RegExp, string])[] = [
  [/^plugin\.json$/, 'what it is and what it contributes'],
  [/^index\.[jt]s$/, 'what it does'],
  [/\.test\.[jt]s$/, 'its test'],
  [/^tsconfig\.json$/, 'for the compiler and your editor'],
  [/^plugin\.types\.ts$/, 'generated from plugin.json'],
]

/** What was written, and what to do next. */
function report(id: string, shown: string, files: ReadonlyMap<string, string>): string {
  const rows = [...files.keys(), TYPES_FILE].map((name) => [
    `  ${name}`,
    ABOUT.find(([pattern]) => pattern.test(name))?.[1] ?? '',
  ])
  const folder = /^[\w./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`
  return [
    `The plugin ${id} is in ${shown}:\n`,
    table(rows),
    '\nNext:\n',
    `  amber plugin test ${folder}\n`,
    `  amber dev ${folder}\n`,
  ].join('')
}
