import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Diagnostic, hasErrors } from '../../../../manifests/diagnostic.ts'
import { drawFrame } from '../../../../manifests/frame.ts'
import type { Manifest } from '../../../../manifests/manifest.ts'
import { isRecord } from '../../../../sdk/index.ts'
import { AmberError } from '../../../base/errors.ts'
import { wantsColour } from '../../colour.ts'
import type { CliContext } from '../../context.ts'
import { pathsOf } from '../../open-app.ts'
import { validateFolder } from '../validate.ts'
import { runProgram } from './run-program.ts'

/** A plugin that lies in a staging folder, and what to call that folder when something in it is wrong: the folder it came from, or its SPEC. */
export interface Staged {
  readonly folder: string
  readonly label: string
}

/**
 * Reads the manifest of what was fetched, `engines` included (MAN-6). Shows what is wrong; rejects with an AmberError
 * when the plugin is not usable, or has the id of a plugin that amber brings itself.
 */
export async function readStaged(staged: Staged, context: CliContext): Promise<Manifest> {
  const { version, folder } = context.installation
  const { manifest, diagnostics } = await validateFolder(staged.folder, version, { installed: true })
  await showFindings(staged, diagnostics, context)
  if (manifest === undefined) {
    throw new AmberError(
      'failed',
      `${staged.label} is no usable plugin.`,
      'Nothing was installed. Tell its author.',
    )
  }
  if (!existsSync(join(folder, 'plugins', manifest.id, 'plugin.json'))) return manifest
  throw new AmberError(
    'failed',
    `The id ${manifest.id} is that of a plugin that amber brings itself.`,
    'Nothing was installed. Its author has to choose another id.',
  )
}

/** Installs the packages that it needs and did not bring along, without running any script of theirs. */
export async function bringDependencies(staged: Staged, context: CliContext): Promise<void> {
  if (!(await needsPackages(staged.folder))) return
  context.io.err.write('Fetching the packages that it needs …\n')
  const argv = [
    'install',
    '--ignore-scripts',
    '--omit=dev',
    '--omit=peer',
    '--no-audit',
    '--no-fund',
    '--no-save',
  ]
  await runProgram({ program: 'npm', argv: [...argv, '--loglevel=error'], cwd: staged.folder }, context.io)
}

async function needsPackages(folder: string): Promise<boolean> {
  try {
    const about: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    if (!isRecord(about) || !isRecord(about.dependencies)) return false
    return Object.keys(about.dependencies).some((name) => name !== 'amber-agent')
  } catch {
    return false
  }
}

/**
 * Builds and loads it once, alone, in an amber with a home of its own, as a swap would: what does not load takes
 * nobody's place. Rejects with an AmberError, with everything that is wrong shown.
 */
export async function tryStaged(staged: Staged, manifest: Manifest, context: CliContext): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'amber-try-'))
  const paths = {
    ...pathsOf(context),
    config: join(home, 'c'),
    state: join(home, 's'),
    cache: join(home, 'k'),
  }
  const app = await context.createApp({
    paths,
    env: context.io.env,
    pluginFlags: [staged.folder],
    without: [],
    noPlugins: true,
    clock: context.clock,
    onNotice: () => {},
    activate: false,
  })
  try {
    const result = await app.plugins.swap(manifest.id, { fresh: true })
    if (result.kind !== 'rejected') return
    await showFindings(staged, result.diagnostics, context)
    throw new AmberError(
      'failed',
      `${manifest.name} (${manifest.id}) does not load.`,
      hasErrors(result.diagnostics) ? 'Nothing was changed. Tell its author.' : 'Nothing was changed.',
    )
  } finally {
    await app.shutdown()
    await rm(home, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Draws findings over their lines, the staging folder called what the user calls it. */
async function showFindings(
  { folder, label }: Staged,
  diagnostics: readonly Diagnostic[],
  { io }: CliContext,
): Promise<void> {
  for (const one of diagnostics) {
    const file = one.file.startsWith(folder) ? `${label}${one.file.slice(folder.length)}` : one.file
    const text = await readFile(one.file, 'utf8').catch(() => readFile(file, 'utf8').catch(() => undefined))
    const frame = drawFrame({ ...one, file }, text, { color: wantsColour(io.err, io.env), cwd: io.cwd })
    io.err.write(`${frame}\n\n`)
  }
}
