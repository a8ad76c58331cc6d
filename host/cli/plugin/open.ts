import type { App } from '../../app/app.ts'
import { AmberError } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest.ts'
import { sanitiseText } from '../../base/sanitise.ts'
import type { PluginInfo } from '../../plugin/live-plugin.ts'
import type { CliContext } from '../context.ts'
import { openApp } from '../open-app.ts'

/** Runs `use` with an amber that has registered every plugin and loaded no code of any (MAN-3), and shuts it down. */
export async function withPlugins(context: CliContext, use: (app: App) => Promise<number>): Promise<number> {
  const notice = (message: string) => context.io.err.write(`${sanitiseText(message)}\n`)
  const app = await openApp(context, notice, { activate: false })
  try {
    return await use(app)
  } finally {
    await app.shutdown()
  }
}

/** The plugin of an id. Throws an AmberError that names the nearest when there is none. */
export function pluginOf(app: App, id: string): PluginInfo {
  const found = app.plugins.info(id)
  if (found !== undefined) return found
  const ids = app.plugins.list().map((one) => one.id)
  const hint = didYouMean(id, ids) || 'See them all: amber plugin list'
  throw new AmberError('failed', `There is no plugin ${id}.`, hint)
}
