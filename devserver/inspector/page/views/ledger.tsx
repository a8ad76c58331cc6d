import type { VNode } from 'preact'
import { hrefOf, type Route } from '../data/route.ts'
import type { State } from '../data/store.ts'

type Entry = State['ledger'][number]

const SIGNS = { added: '+', changed: '~', removed: '−' } as const

/** Everything that is installed, by kind; what the last swap of its plugin changed is marked. */
export function Ledger({ state, route }: { readonly state: State; readonly route: Route }): VNode {
  const { plugin } = route.query
  const bundled = new Set(state.plugins.filter((one) => one.source === 'bundled').map((one) => one.id))
  const isChosen = (one: { readonly plugin: string }) => plugin === undefined || one.plugin === plugin
  const entries = state.ledger.filter(isChosen)
  // What somebody works on is on top; the rest is folded away, unless it is asked for by name.
  const folded = plugin === undefined ? entries.filter((one) => bundled.has(one.plugin)) : []
  const gone = removedIn(state).filter(isChosen)
  return (
    <>
      <Kinds entries={entries.filter((one) => !folded.includes(one))} state={state} />
      {gone.length > 0 && (
        <p class="dim">
          gone with the last swap:{' '}
          {gone.map((one) => `${SIGNS.removed}${one.kind}:${one.name} (${one.plugin})`).join('  ')}
        </p>
      )}
      {folded.length > 0 && (
        <details open={folded.length === entries.length}>
          <summary class="dim">{folded.length} entries come with amber</summary>
          <Kinds entries={folded} state={state} />
        </details>
      )}
      {entries.length === 0 && <p class="dim">nothing is installed</p>}
    </>
  )
}

function Kinds({ entries, state }: { readonly entries: readonly Entry[]; readonly state: State }): VNode {
  const kinds = [...new Set(entries.map((one) => one.kind))]
  return (
    <>
      {kinds.map((kind) => {
        const own = entries.filter((one) => one.kind === kind)
        return (
          <section key={kind} class="kind">
            <h3>
              {kind} <span class="dim">{own.length}</span>
            </h3>
            <table class="ledger">
              <tbody>
                {own.map((one) => (
                  <EntryRow key={`${one.plugin} ${one.name}`} entry={one} state={state} />
                ))}
              </tbody>
            </table>
          </section>
        )
      })}
    </>
  )
}

function EntryRow({ entry, state }: { readonly entry: Entry; readonly state: State }): VNode {
  const change = changeOf(entry, state)
  const source = state.sources.find(
    (one) => one.plugin === entry.plugin && one.kind === entry.kind && one.name === entry.name,
  )
  return (
    <>
      <tr class={change ? 'is-changed' : ''}>
        <td class="sign" title={change && `${change} in the last swap`}>
          {change ? SIGNS[change] : ''}
        </td>
        <td class="name">{nameOf(entry, state)}</td>
        <td>{entry.plugin}</td>
        <td class="dim number">gen {entry.generation}</td>
        <td class={entry.status === 'installed' ? 'good' : 'warn'} title={entry.reason}>
          {entry.status}
        </td>
        <td class="dim place" title={source?.file}>
          {source && `${source.file.replace(/^.*[\\/]/, '')}:${source.line}`}
        </td>
      </tr>
      {entry.reason !== undefined && (
        <tr class="why">
          <td />
          <td class="dim" colSpan={5}>
            {entry.reason}
          </td>
        </tr>
      )}
    </>
  )
}

/** What can be tried leads there. */
function nameOf({ kind, name }: Entry, state: State): VNode {
  if (kind === 'tool' && state.tools.some((one) => one.name === name))
    return <a href={hrefOf({ tab: 'try', rest: ['tool', name] })}>{name}</a>
  if (kind === 'command') return <a href={hrefOf({ tab: 'try', rest: ['command', name] })}>{name}</a>
  if (kind === 'panel') return <a href={hrefOf({ tab: 'screen', rest: [name] })}>{name}</a>
  return <span>{name}</span>
}

function lastSwapOf(plugin: string, { swaps }: State) {
  const last = swaps.findLast((one) => one.plugin === plugin && one.type === 'swap')
  return last?.type === 'swap' ? last : undefined
}

function changeOf({ plugin, kind, name }: Entry, state: State): 'added' | 'changed' | undefined {
  const change = lastSwapOf(plugin, state)?.changed.find(
    (one) => one.kind === kind && one.name === name,
  )?.change
  return change === 'removed' ? undefined : change
}

function removedIn(state: State) {
  return state.plugins.flatMap(({ id }) =>
    (lastSwapOf(id, state)?.changed ?? [])
      .filter((one) => one.change === 'removed')
      .map((one) => ({ ...one, plugin: id })),
  )
}
