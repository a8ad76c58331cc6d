import { sanitiseLine } from '../../base/sanitise.ts'
import type { PluginInfo } from '../../plugin/live-plugin.ts'
import { duration, fit, sides, tokenCount, widthOf } from '../look/text.ts'
import type { Theme } from '../look/theme.ts'

/** What a row of the console shows beside the plugin itself. */
export interface PluginRowShape {
  readonly width: number
  readonly theme: Theme
  readonly isHere: boolean
  /** What it adds to a request, in tokens; undefined while that is not estimated. */
  readonly tokens: number | undefined
  /** Columns for the id. */
  readonly idWidth: number
}

/** Id, state, version, generation, contributions; at the right its tokens and what loading it took. */
export function pluginRow(
  plugin: PluginInfo,
  { width, theme, isHere, tokens, idWidth }: PluginRowShape,
): string {
  const { id, state, version, generation, contributions, loadMs } = plugin
  const name = fit(id, idWidth)
  const mark = isHere ? theme.paint('accent', theme.glyphs.folded) : ' '
  const names = contributions.map(({ kind, name: own, status, reason }) =>
    status === 'installed' ? `${kind}:${own}` : `${kind}:${own} ${status}: ${reason ?? ''}`,
  )
  const left = [
    `${mark} ${isHere ? theme.bold(name) : name}`,
    stateText(state, theme),
    fit(version, 7),
    fit(generation > 0 ? `gen ${generation}` : '', 7),
    theme.paint('dim', sanitiseLine(names.join(' '))),
  ].join(' ')
  const cost = `${tokenCount(tokens, '-')} tok`.padStart(8)
  const load = (loadMs === undefined ? '-' : duration(loadMs)).padStart(7)
  const right = theme.paint('dim', `${cost} ${load}`)
  // Where it is narrow, state and name say more than figures.
  return sides(left, width < FIGURES_FROM ? '' : right, width)
}

const FIGURES_FROM = 60

/** The longest of the ids, within bounds that leave room for the rest. */
export function idWidthOf(plugins: readonly PluginInfo[]): number {
  return Math.min(20, Math.max(8, ...plugins.map(({ id }) => widthOf(id))))
}

/** What is wrong with it now, on one line; undefined when nothing is. */
export function errorText(plugin: PluginInfo, fault: string | undefined): string | undefined {
  const { state, reason, generation, contributions } = plugin
  const first = plugin.diagnostics.find(({ severity }) => severity === 'error')
  if (state === 'disabled') return undefined
  if (first !== undefined) {
    const file = first.file.split('/').at(-1) ?? ''
    const still = contributions.length > 0 ? `rejected, generation ${generation} still answers: ` : ''
    return sanitiseLine(`${still}${file}:${first.line}:${first.column} ${first.message}`)
  }
  const text = reason ?? fault
  return text === undefined ? undefined : sanitiseLine(text)
}

function stateText(state: PluginInfo['state'], theme: Theme): string {
  if (state === 'active') return theme.paint('good', fit('on', 9))
  if (state === 'disabled') return theme.paint('dim', fit('off', 9))
  return theme.paint(state === 'degraded' || state === 'discovered' ? 'warn' : 'crit', fit(state, 9))
}
