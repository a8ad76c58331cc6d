import { sanitiseLine } from '../../base/sanitise.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { CliContext } from '../context.ts'
import { pluginOf, withPlugins } from './open.ts'
import { described, json } from './shape.ts'
import { showDiagnostics } from './show-diagnostics.ts'

/** `amber plugin on ID` and `off ID`: at once and for good; running ambers follow by their next turn (LED-8). */
export function toggle(
  options: { readonly action: 'on' | 'off'; readonly id: string; readonly json?: boolean },
  context: CliContext,
): Promise<number> {
  const { io } = context
  const { action, id } = options
  return withPlugins(context, async (app) => {
    const was = pluginOf(app, id).enabled
    const result = action === 'on' ? await app.plugins.enable(id) : await app.plugins.disable(id)
    const plugin = pluginOf(app, id)
    if (options.json) io.out.write(json(described(plugin)))
    else {
      const already = was === plugin.enabled ? 'already ' : ''
      io.out.write(`${sanitiseLine(plugin.name)} (${id}) is ${already}${action}.\n`)
    }
    if (result.kind !== 'rejected') return EXIT.done
    if (!options.json) io.err.write('It cannot be used as it is:\n\n')
    if (!options.json) showDiagnostics(io, io.err, result.diagnostics)
    return EXIT.failed
  })
}
