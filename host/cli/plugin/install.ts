import { AmberError } from '../../base/errors.ts'
import { sanitiseLine } from '../../base/sanitise.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { CliContext } from '../context.ts'
import { pathsOf } from '../open-app.ts'
import { bringDependencies, readStaged, tryStaged } from './install/check.ts'
import { askFor, offerText } from './install/consent.ts'
import { fetchPlugin } from './install/fetch.ts'
import { createPluginStore } from './install/place.ts'
import { writeRecord } from './install/record.ts'
import { readSpec, specText } from './install/spec.ts'
import { tellInstalled } from './install/tell.ts'

/**
 * `amber plugin install SPEC`: fetches a plugin, shows what it contributes, asks, and puts it in place in one step. No
 * script of it runs, and nothing of it at all before the user agreed. Exit code 4 when nobody was there to agree.
 */
export async function install(
  options: { readonly spec: string; readonly json?: boolean },
  context: CliContext,
): Promise<number> {
  const { io, clock } = context
  const spec = readSpec(options.spec, io.cwd)
  const store = createPluginStore(pathsOf(context).config, clock)
  const id = await store.stage(async (staging) => {
    const { folder, exact } = await fetchPlugin(spec, staging, io)
    const staged = { folder, label: options.spec }
    const manifest = await readStaged(staged, context)
    const before = await store.kindOf(manifest.id)
    if (before !== undefined) throw isThere(manifest.id, before, store.folderOf(manifest.id))
    io.err.write(offerText(manifest, specText(spec)))
    await askFor('Install it?', context, {
      undone: `${sanitiseLine(manifest.name)} was not installed.`,
      again: `amber plugin install ${options.spec}`,
    })
    await bringDependencies(staged, context)
    await tryStaged(staged, manifest, context)
    const installedAt = new Date(clock.now()).toISOString()
    await writeRecord(folder, { spec: specText(spec), exact, version: manifest.version, installedAt })
    await store.put(manifest.id, folder)
    return manifest.id
  })
  await tellInstalled(id, 'installed', { context, json: options.json === true })
  return EXIT.done
}

function isThere(id: string, kind: 'folder' | 'link', folder: string): AmberError {
  return kind === 'link'
    ? new AmberError(
        'failed',
        `There is a link at ${folder} already.`,
        `Take it away first: amber plugin uninstall ${id}`,
      )
    : new AmberError(
        'failed',
        `The plugin ${id} is installed already.`,
        `To have its newest version: amber plugin update ${id}`,
      )
}
