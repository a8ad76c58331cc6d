import { AmberError } from '../../base/errors.ts'
import { sanitiseLine } from '../../base/sanitise.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { CliContext } from '../context.ts'
import { faultOfId } from '../new/plugin-id.ts'
import { pathsOf } from '../open-app.ts'
import { bringDependencies, readStaged, tryStaged } from './install/check.ts'
import { askFor, offerText } from './install/consent.ts'
import { fetchPlugin } from './install/fetch.ts'
import { createPluginStore, type PluginStore } from './install/place.ts'
import { type InstallRecord, readRecord, writeRecord } from './install/record.ts'
import { readSpec, specText } from './install/spec.ts'
import { tellInstalled } from './install/tell.ts'

/**
 * `amber plugin update ID [--from SPEC]`: fetches it anew from where it came from, and puts it in place of the old one
 * in one step when it loads; whatever goes wrong before leaves the old one as it is. On or off stays as the user chose.
 */
export async function update(
  options: { readonly id: string; readonly from?: string; readonly json?: boolean },
  context: CliContext,
): Promise<number> {
  const { io, clock } = context
  const { id } = options
  const store = createPluginStore(pathsOf(context).config, clock)
  const record = await recordOf(store, id, options.from)
  const spec = readSpec(options.from ?? record.spec, io.cwd)
  const result = await store.stage(async (staging) => {
    const { folder, exact } = await fetchPlugin(spec, staging, io)
    const staged = { folder, label: specText(spec) }
    if (exact === record.exact) return 'current'
    const manifest = await readStaged(staged, context)
    if (manifest.id !== id) {
      const message = `${specText(spec)} holds the plugin ${manifest.id}, not ${id}.`
      throw new AmberError(
        'failed',
        message,
        `Nothing was changed. To have it too: amber plugin install ${specText(spec)}`,
      )
    }
    io.err.write(
      `${offerText(manifest, specText(spec))}It takes the place of ${sanitiseLine(record.version)}.\n`,
    )
    await askFor('Update it?', context, {
      undone: `${sanitiseLine(manifest.name)} was not updated.`,
      again: `amber plugin update ${id}`,
    })
    await bringDependencies(staged, context)
    await tryStaged(staged, manifest, context)
    const installedAt = new Date(clock.now()).toISOString()
    await writeRecord(folder, { spec: specText(spec), exact, version: manifest.version, installedAt })
    await store.put(id, folder)
    return 'updated'
  })
  await tellInstalled(id, result, { context, json: options.json === true })
  return EXIT.done
}

async function recordOf(store: PluginStore, id: string, from: string | undefined): Promise<InstallRecord> {
  const kind = faultOfId(id) === undefined ? await store.kindOf(id) : undefined
  if (kind === undefined) {
    throw new AmberError('failed', `There is no installed plugin ${id}.`, 'See them all: amber plugin list')
  }
  const record = kind === 'folder' ? await readRecord(store.folderOf(id)) : undefined
  if (record !== undefined) return record
  if (kind === 'folder' && from !== undefined)
    return { spec: from, exact: '', version: 'what is there', installedAt: '' }
  throw new AmberError(
    'failed',
    `Nobody knows where ${store.folderOf(id)} came from: it was put there by hand.`,
    kind === 'link'
      ? 'It is a link; update the folder that it leads to.'
      : `Say it: amber plugin update ${id} --from SPEC`,
  )
}
