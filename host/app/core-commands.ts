import { AmberError } from '../base/errors.ts'
import type { CoreHandler } from '../command/dispatch.ts'
import { listing, manualPage } from '../command/page.ts'
import { resolveLine } from '../command/resolve.ts'
import { type CommandTree, rootNodes } from '../command/tree.ts'
import type { PluginInfo } from '../plugin/live-plugin.ts'
import type { Plugins } from '../plugin/plugins.ts'
import type { SwapResult } from '../plugin/swap-result.ts'
import type { ProviderRow } from './app.ts'

/** What amber's own commands work on. */
export interface CoreCommandDeps {
  readonly plugins: Plugins
  readonly tree: () => CommandTree
  readonly providers: () => Promise<readonly ProviderRow[]>
}

/** The commands that need no screen and no conversation, by dotted path. */
export function coreCommands(deps: CoreCommandDeps): ReadonlyMap<string, CoreHandler> {
  const { plugins } = deps
  const providers: CoreHandler = async () =>
    (await deps.providers()).map(providerLine).join('\n') || 'There are no providers.'
  return new Map<string, CoreHandler>([
    ['help', ({ text }) => help(deps.tree(), text)],
    ['provider.list', providers],
    ['get.provider.list', providers],
    ['get.plugin.list', () => plugins.list().map(pluginLine).join('\n') || 'There are no plugins.'],
    ['get.plugin.info', ({ text }) => describe(known(plugins, text))],
    ['set.plugin.on', async ({ text }) => explain(known(plugins, text).id, 'on', await plugins.enable(text))],
    [
      'set.plugin.off',
      async ({ text }) => explain(known(plugins, text).id, 'off', await plugins.disable(text)),
    ],
    [
      'set.plugin.reload',
      async ({ text }) =>
        explain(known(plugins, text).id, 'loaded anew', await plugins.swap(text, { fresh: true })),
    ],
  ])
}

function help(tree: CommandTree, path: string): string {
  if (path === '')
    return `${listing(rootNodes(tree))}\n\nMore of one: /help NAME, or ? after any part of a command.`
  const found = resolveLine(tree, path)
  if (found.kind === 'found') return manualPage(found.path, found.node)
  throw new AmberError('failed', `There is no command /${path}.`, 'See them all with /help.')
}

function known(plugins: Plugins, id: string): PluginInfo {
  const info = plugins.info(id)
  if (info) return info
  throw new AmberError(
    'failed',
    `There is no plugin ${id || '(none was named)'}.`,
    'See them all with /get plugin list.',
  )
}

function pluginLine(info: PluginInfo): string {
  const state = info.state === 'active' ? 'on' : info.state === 'disabled' ? 'off' : info.state
  return `${info.id.padEnd(20)} ${state.padEnd(9)} ${info.version.padEnd(8)} ${info.reason ?? info.source}`
}

function describe(info: PluginInfo): string {
  const rows = info.contributions.map(
    (one) => `  ${one.kind}:${one.name} ${one.status}${one.reason === undefined ? '' : ` (${one.reason})`}`,
  )
  return [
    `${info.name} ${info.version} (${info.id}), ${info.state}, generation ${info.generation}`,
    info.path,
    ...(info.reason === undefined ? [] : [info.reason]),
    ...(rows.length > 0 ? ['contributes:', ...rows] : ['contributes nothing now']),
  ].join('\n')
}

function explain(
  id: string,
  what: string,
  result: SwapResult,
): { readonly ok: boolean; readonly text: string } {
  if (result.kind !== 'rejected') return { ok: true, text: `${id} is ${what}.` }
  const [first] = result.diagnostics
  return { ok: false, text: `${id} could not be loaded: ${first?.message ?? result.phase}` }
}

function providerLine(row: ProviderRow): string {
  const key = row.requiresKey ? (row.hasKey ? 'key set' : 'key missing') : 'no key needed'
  return `${row.active ? '*' : ' '} ${row.name.padEnd(14)} ${(row.defaultModel || '-').padEnd(28)} ${key}`
}
