import type { VNode } from 'preact'
import type { PastSwap } from '../../../history.ts'
import type { Route } from '../data/route.ts'
import type { State } from '../data/store.ts'
import { durationOf, percentile, timeOf } from '../data/text.ts'

const PHASES = ['validate', 'build', 'load', 'stage', 'commit', 'types'] as const
const MAX_ROWS = 100
const SIGNS = { added: '+', changed: '~', removed: '−' } as const

type Swap = Extract<PastSwap, { type: 'swap' }>

/** Each swap as a bar of its phases, newest first, and how long most of them take. */
export function Timeline({ state, route }: { readonly state: State; readonly route: Route }): VNode {
  const { plugin } = route.query
  const all = state.swaps.filter((one) => plugin === undefined || one.plugin === plugin)
  const times = all.flatMap((one) => (one.type === 'swap' ? [one.totalMs] : []))
  const longest = Math.max(1, ...all.slice(-MAX_ROWS).map((one) => (one.type === 'swap' ? lengthOf(one) : 0)))
  return (
    <>
      <div class="row spread">
        <ul class="legend" aria-label="phases">
          {PHASES.map((phase) => (
            <li key={phase}>
              <svg width="10" height="10" aria-hidden="true">
                <rect class={`phase-${phase}`} width="10" height="10" />
              </svg>
              {phase}
            </li>
          ))}
        </ul>
        <p class="figures">
          <b>p50</b> {shown(percentile(times, 0.5))} <b>p95</b> {shown(percentile(times, 0.95))}{' '}
          <span class="dim">of {times.length} swaps</span>
        </p>
      </div>
      <ol class="swaps">
        {all
          .slice(-MAX_ROWS)
          .reverse()
          .map((one) => (
            <Row key={`${one.plugin} ${one.at} ${one.type}`} swap={one} longest={longest} />
          ))}
      </ol>
      {all.length === 0 && <p class="dim">nothing was swapped yet: save a file of a plugin</p>}
    </>
  )
}

const shown = (ms: number | undefined) => (ms === undefined ? '–' : durationOf(ms))

/** Types are spent after the commit: they lengthen the bar, not the swap. */
const lengthOf = ({ phases }: Swap) => PHASES.reduce((sum, phase) => sum + phases[phase], 0)

function Row({ swap, longest }: { readonly swap: PastSwap; readonly longest: number }): VNode {
  return (
    <li class={swap.type === 'swap' ? '' : 'is-rejected'}>
      <div class="swap-head">
        <time class="dim">{timeOf(swap.at)}</time> <b>{swap.plugin}</b>
        {swap.type === 'swap' && <span>gen {swap.generation}</span>}
        {swap.type === 'removed' && <span class="dim">its folder is gone</span>}
        {swap.type === 'rejected' && (
          <span class="crit">
            ✗ rejected at {swap.phase}: {swap.diagnostics[0]?.message}
          </span>
        )}
        {swap.type === 'swap' && (
          <>
            <span class="changes">
              {swap.changed.slice(0, 8).map((one) => (
                <span key={`${one.kind} ${one.name}`}>
                  {SIGNS[one.change]}
                  {one.kind}:{one.name}{' '}
                </span>
              ))}
              {swap.changed.length > 8 && <span class="dim">and {swap.changed.length - 8} more</span>}
            </span>
            <span class="total">{durationOf(swap.totalMs)}</span>
          </>
        )}
      </div>
      {swap.type === 'swap' && <Phases swap={swap} longest={longest} />}
    </li>
  )
}

function Phases({ swap, longest }: { readonly swap: Swap; readonly longest: number }): VNode {
  const text = PHASES.filter((phase) => swap.phases[phase] > 0)
    .map((phase) => `${phase} ${swap.phases[phase].toFixed(1)}`)
    .join(' · ')
  let x = 0
  return (
    <>
      <svg
        class="phases"
        width="100%"
        height="10"
        viewBox="0 0 1000 10"
        preserveAspectRatio="none"
        role="img"
        aria-label={text}
      >
        {PHASES.map((phase) => {
          const width = (swap.phases[phase] / longest) * 1000
          const at = x
          x += width
          return (
            <rect
              key={phase}
              class={`phase-${phase}`}
              x={at}
              y={0}
              width={Math.max(0, width - 1)}
              height={10}
            />
          )
        })}
      </svg>
      <p class="dim small">{text}</p>
    </>
  )
}
