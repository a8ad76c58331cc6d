import { sanitiseLine } from '../../../base/sanitise.ts'
import type { CliContext } from '../../context.ts'
import { contributionsText } from '../info.ts'
import { pluginOf, withPlugins } from '../open.ts'
import { described, json } from '../shape.ts'
import { showDiagnostics } from '../show-diagnostics.ts'
import { readRecord } from './record.ts'

/** Says what is installed now, what of it stands and what clashes with another plugin (LED-5, LED-6). */
export async function tellInstalled(
  id: string,
  what: 'installed' | 'updated' | 'current',
  how: { readonly context: CliContext; readonly json: boolean },
): Promise<void> {
  const { context } = how
  const { io } = context
  await withPlugins(context, async (app) => {
    const plugin = pluginOf(app, id)
    if (how.json) {
      const record = await readRecord(plugin.path)
      io.out.write(
        json({ ...described(plugin), result: what, ...(record === undefined ? {} : { from: record.spec }) }),
      )
      return 0
    }
    const name = `${sanitiseLine(plugin.name)} (${id}) ${plugin.version}`
    if (what === 'current') io.out.write(`${name} is the newest there is.\n`)
    else io.out.write(`${name} is ${what}.\n${contributionsText(plugin)}`)
    showDiagnostics(io, io.err, plugin.diagnostics)
    if (!plugin.enabled) io.err.write(`It is switched off; to switch it on: amber plugin on ${id}\n`)
    return 0
  })
}
