import { sanitiseLine } from '../../base/sanitise.ts'
import { table } from '../../base/table.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { PluginInfo, PluginState } from '../../plugin/live-plugin.ts'
import { paint, wantsColour } from '../colour.ts'
import type { CliContext } from '../context.ts'
import { withPlugins } from './open.ts'
import { json, listed } from './shape.ts'

/** How a state looks; one that is fine looks like nothing. */
const TONES: Readonly<Partial<Record<PluginState, 'dim' | 'red' | 'yellow'>>> = {
  disabled: 'dim',
  degraded: 'yellow',
  invalid: 'red',
  failed: 'red',
}

/** `amber plugin list`: every plugin and its state, with no code of any loaded (MAN-3). */
export function list(options: { readonly json?: boolean }, context: CliContext): Promise<number> {
  const { io } = context
  return withPlugins(context, async (app) => {
    const plugins = app.plugins.list()
    if (options.json) io.out.write(json(plugins.map(listed)))
    else if (plugins.length === 0) {
      io.err.write('There are no plugins.\nMake one: amber new plugin weather\n')
    } else {
      const colour = wantsColour(io.out, io.env)
      const lines = table(plugins.map(cells)).split('\n')
      const painted = plugins.map(({ state }, at) => {
        const tone = TONES[state]
        return tone === undefined ? lines[at] : paint(lines[at] ?? '', tone, colour)
      })
      io.out.write(`${painted.join('\n')}\n`)
    }
    return EXIT.done
  })
}

function cells({ id, state, source, version, name, reason }: PluginInfo): readonly string[] {
  const note = reason === undefined ? '' : `: ${reason}`
  return [id, state, source, version || '-', `${name}${note}`].map(sanitiseLine)
}
