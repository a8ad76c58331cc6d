import type { VNode } from 'preact'
import type { PastSwap } from '../../../history.ts'
import { hrefOf, type Route } from '../data/route.ts'
import type { State } from '../data/store.ts'

type Plugin = State['plugins'][number]

/** Those that somebody works on come first; amber's own are folded away. */
export function pluginsInOrder(plugins: readonly Plugin[]): readonly Plugin[] {
  return [
    ...plugins.filter((one) => one.source !== 'bundled'),
    ...plugins.filter((one) => one.source === 'bundled'),
  ]
}

/** The plugins: health, generation and the last ten swaps of each. Choosing one narrows the ledger and the timeline. */
export function PluginList({ state, route }: { readonly state: State; readonly route: Route }): VNode {
  const chosen = route.query.plugin
  const own = state.plugins.filter((one) => one.source !== 'bundled')
  const bundled = state.plugins.filter((one) => one.source === 'bundled')
  const row = (plugin: Plugin) => (
    <PluginRow key={plugin.id} {...{ plugin, route, state }} isChosen={plugin.id === chosen} />
  )
  return (
    <nav class="plugins" aria-label="plugins">
      <h2>
        plugins <span class="dim">{own.length}</span>
      </h2>
      <ul>{own.map(row)}</ul>
      {own.length === 0 && <p class="dim">no plugin is watched here</p>}
      {bundled.length > 0 && (
        <details open={bundled.some((one) => one.id === chosen)}>
          <summary>{bundled.length} come with amber</summary>
          <ul>{bundled.map(row)}</ul>
        </details>
      )}
    </nav>
  )
}

/** How a plugin is, in a word and a tone; the word is there for those who see no colour. */
export function healthOf(
  plugin: Plugin,
  state: Pick<State, 'problems'>,
): readonly [tone: string, glyph: string, word: string] {
  const wrong = state.problems.some((one) => one.plugin === plugin.id && one.severity === 'error')
  if (wrong) return ['crit', '✗', plugin.generation > 0 ? 'held' : 'rejected']
  if (plugin.state === 'active') return ['good', '●', 'live']
  if (plugin.state === 'disabled' || !plugin.enabled) return ['dim', '○', 'off']
  if (plugin.state === 'degraded') return ['warn', '◐', 'degraded']
  return ['crit', '✗', plugin.state]
}

function PluginRow(props: {
  readonly plugin: Plugin
  readonly route: Route
  readonly state: State
  readonly isChosen: boolean
}): VNode {
  const { plugin, route, state, isChosen } = props
  const [tone, glyph, word] = healthOf(plugin, state)
  const { plugin: _chosen, ...query } = route.query
  const href = hrefOf({ ...route, query: isChosen ? query : { ...query, plugin: plugin.id } })
  return (
    <li>
      <a
        class="plugin"
        href={href}
        aria-current={isChosen ? 'true' : undefined}
        title={plugin.reason ?? plugin.path}
      >
        <span class={`dot ${tone}`} aria-hidden="true">
          {glyph}
        </span>
        <span class="name">{plugin.id}</span>
        <Sparkline swaps={state.swaps.filter((one) => one.plugin === plugin.id).slice(-10)} />
        <span class="dim generation">
          {word} {plugin.generation > 0 ? plugin.generation : ''}
        </span>
      </a>
    </li>
  )
}

const BAR = 4
const HEIGHT = 14

/** The last swaps as bars, each as high as it was slow; a rejected one is a full bar of its own colour with a gap in it. */
function Sparkline({ swaps }: { readonly swaps: readonly PastSwap[] }): VNode {
  const slowest = Math.max(1, ...swaps.map((one) => (one.type === 'swap' ? one.totalMs : 0)))
  const rejected = swaps.filter((one) => one.type === 'rejected').length
  const label = swaps.length === 0 ? 'no swaps' : `${swaps.length} swaps, ${rejected} rejected`
  return (
    <svg class="spark" width={BAR * 10} height={HEIGHT} role="img" aria-label={label}>
      {swaps.map((one, index) => {
        const x = index * BAR
        if (one.type !== 'swap') {
          return (
            <g key={`${one.at} ${index}`} class="crit">
              <rect x={x} y={0} width={BAR - 1} height={HEIGHT / 2 - 1} />
              <rect x={x} y={HEIGHT / 2 + 1} width={BAR - 1} height={HEIGHT / 2 - 1} />
            </g>
          )
        }
        const height = Math.max(2, Math.round((one.totalMs / slowest) * HEIGHT))
        return <rect key={`${one.at} ${index}`} x={x} y={HEIGHT - height} width={BAR - 1} height={height} />
      })}
    </svg>
  )
}
