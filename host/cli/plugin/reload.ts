import { readFile } from 'node:fs/promises'
import { readManifest } from '../../../manifests/read-manifest.ts'
import { AmberError } from '../../base/errors.ts'
import { sanitiseLine } from '../../base/sanitise.ts'
import { EXIT } from '../../headless/exit-code.ts'
import { createBuildStore } from '../../plugin/build-store.ts'
import { buildConsistently } from '../../plugin/consistent-build.ts'
import { manifestFileOf, type PluginInfo } from '../../plugin/live-plugin.ts'
import { buildKeyOf } from '../../plugin/versions.ts'
import type { CliContext } from '../context.ts'
import { pathsOf } from '../open-app.ts'
import { contributionsText } from './info.ts'
import { pluginOf, withPlugins } from './open.ts'
import { described, json } from './shape.ts'
import { showDiagnostics, toJson } from './show-diagnostics.ts'

/**
 * `amber plugin reload ID`: validates, builds and loads the plugin's newest state, says what it contributes, and keeps
 * the build for the next start. A fault of one contribution that was parked is forgotten with it (LED-10).
 */
export function reload(
  options: { readonly id: string; readonly json?: boolean },
  context: CliContext,
): Promise<number> {
  const { io } = context
  return withPlugins(context, async (app) => {
    const { enabled } = pluginOf(app, options.id)
    if (!enabled) {
      const hint = `Switch it on: amber plugin on ${options.id}`
      throw new AmberError('failed', `The plugin ${options.id} is switched off.`, hint)
    }
    const result = await app.plugins.swap(options.id, { fresh: true })
    const plugin = pluginOf(app, options.id)
    const diagnostics = 'diagnostics' in result ? result.diagnostics : []
    const isGood = result.kind === 'swapped'
    if (isGood) await keepBuild(plugin, context)
    if (options.json) io.out.write(json({ ...described(plugin), diagnostics: diagnostics.map(toJson) }))
    else {
      showDiagnostics(io, io.err, diagnostics)
      if (isGood)
        io.out.write(`${sanitiseLine(plugin.name)} (${plugin.id}) loads.\n${contributionsText(plugin)}`)
      else io.err.write(`${sanitiseLine(plugin.name)} (${plugin.id}) was not reloaded.\n`)
    }
    return isGood ? EXIT.done : EXIT.failed
  })
}

async function keepBuild(plugin: PluginInfo, context: CliContext): Promise<void> {
  const amberVersion = context.installation.version
  const manifestFile = manifestFileOf({ folder: plugin.path })
  const { manifest } = await readManifest(await readFile(manifestFile, 'utf8'), manifestFile, {
    amberVersion,
  })
  if (manifest?.entry === undefined) return
  const { entry, external } = manifest
  const built = await buildConsistently({ folder: plugin.path, entry, external, manifestFile }, [])
  if (!built.ok) return
  const store = createBuildStore({ cache: pathsOf(context).cache })
  await store.keep(plugin.path, buildKeyOf({ amberVersion }, manifest), built.bundle)
}
