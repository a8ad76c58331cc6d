import { sanitiseLine } from '../../base/sanitise.ts'
import { table } from '../../base/table.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { PluginInfo } from '../../plugin/live-plugin.ts'
import type { CliContext } from '../context.ts'
import { pluginOf, withPlugins } from './open.ts'
import { described, json } from './shape.ts'
import { showDiagnostics } from './show-diagnostics.ts'

/** `amber plugin info ID`: what it is, what it contributes and what is wrong with it. */
export function info(
  options: { readonly id: string; readonly json?: boolean },
  context: CliContext,
): Promise<number> {
  const { io } = context
  return withPlugins(context, async (app) => {
    const plugin = pluginOf(app, options.id)
    if (options.json) io.out.write(json(described(plugin)))
    else {
      io.out.write(infoText(plugin))
      if (plugin.diagnostics.length > 0) io.out.write('\n')
      showDiagnostics(io, io.out, plugin.diagnostics)
    }
    return EXIT.done
  })
}

/** A plugin for people, contributions included. */
export function infoText(plugin: PluginInfo): string {
  const { id, name, version, state, source, path, category, reason } = plugin
  const rows = [
    ['state', reason === undefined ? state : `${state}: ${reason}`],
    ['source', source],
    ['category', category],
    ['folder', path],
  ]
  const head = `${id}${version === '' ? '' : ` ${version}`}  ${name}`
  return `${sanitiseLine(head)}\n\n${tableOf(rows)}\n${contributionsText(plugin)}`
}

/** What a plugin contributes, one line each. */
export function contributionsText({ contributions, enabled }: PluginInfo): string {
  if (contributions.length === 0) {
    return enabled ? 'It contributes nothing.\n' : 'It is switched off and contributes nothing.\n'
  }
  const rows = contributions.map(({ kind, name, status, reason }) => [
    kind,
    name,
    reason === undefined ? status : `${status}: ${reason}`,
  ])
  return tableOf(rows)
}

function tableOf(rows: readonly (readonly string[])[]): string {
  return table(rows.map((cells) => cells.map((cell, at) => (at === 0 ? `  ${cell}` : sanitiseLine(cell)))))
}
