import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AmberError } from '../../base/errors.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { CliContext } from '../context.ts'
import { faultOfId } from '../new/plugin-id.ts'
import { pathsOf } from '../open-app.ts'
import { askFor } from './install/consent.ts'
import { createPluginStore } from './install/place.ts'
import { readRecord } from './install/record.ts'
import { pluginOf, withPlugins } from './open.ts'
import { json } from './shape.ts'

/**
 * `amber plugin uninstall ID [--state]`: asks, and takes the plugin's folder away; of a link only the link. Whether it
 * was on or off is remembered for the next time, unless `--state`.
 */
export async function uninstall(
  options: { readonly id: string; readonly state?: boolean; readonly json?: boolean },
  context: CliContext,
): Promise<number> {
  const { io, clock } = context
  const { id } = options
  const { config } = pathsOf(context)
  const store = createPluginStore(config, clock)
  const kind = faultOfId(id) === undefined ? await store.kindOf(id) : undefined
  if (kind === undefined) throw await notInstalled(id, context)
  const folder = store.folderOf(id)
  const byHand = kind === 'folder' && (await readRecord(folder)) === undefined
  const what =
    kind === 'link' ? `the link ${folder}` : `${folder}${byHand ? ', which was put there by hand' : ''}`
  await askFor(`Delete ${what}?`, context, {
    undone: `${id} was not uninstalled.`,
    again: `amber plugin uninstall ${id}`,
  })
  await store.take(id)
  if (options.state) await rm(join(config, 'plugin-state', `${id}.json`), { force: true })
  if (options.json)
    io.out.write(json({ id, path: folder, removed: true, state: options.state ? 'removed' : 'kept' }))
  else io.out.write(`${id} is uninstalled.\n`)
  return EXIT.done
}

async function notInstalled(id: string, context: CliContext): Promise<AmberError> {
  let found: AmberError | undefined
  await withPlugins(context, async (app) => {
    const { source, path } = pluginOf(app, id)
    const hint =
      source === 'bundled'
        ? `To be without it: amber plugin off ${id}`
        : `It lies in ${path}; delete that folder.`
    const why = source === 'bundled' ? 'amber brings it itself' : `it is a plugin of the ${source}`
    found = new AmberError('failed', `${id} cannot be uninstalled: ${why}.`, hint)
    return EXIT.done
  })
  return found ?? new AmberError('failed', `There is no plugin ${id}.`, 'See them all: amber plugin list')
}
