import type { VNode } from 'preact'
import { hrefOf, type Route } from '../data/route.ts'
import type { State } from '../data/store.ts'
import { shortPath } from '../data/text.ts'

type Entry = State['ledger'][number]

const SIGNS = { added: '+', changed: '~', removed: '−' } as const

/** Everything that is installed, by kind; what the last swap of its plugin changed is marked. */
export function Ledger({ state, route }: { readonly state: State; readonly route: Route }): VNode {
  const { plugin } = route.query
  const entries = state.ledger.filter((one) => plugin === undefined || one.plugin === plugin)
  const kinds = [...new Set(entries.map((one) => one.kind))]
  const gone = removedIn(state).filter((one) => plugin === undefined || one.plugin === plugin)
  return (
    <>
      {kinds.map((kind) => (
        <section key={kind} class="kind">
          <h3>
            {kind} <span class="dim">{entries.filter((one) => one.kind === kind).length}</span>
          </h3>
          <table class="ledger">
            <tbody>
              {entries
                .filter((one) => one.kind === kind)
                .map((one) => (
                  <EntryRow key={`${one.plugin} ${one.name}`} entry={one} state={state} />
                ))}
            </tbody>
          </table>
        </section>
      ))}
      {gone.length > 0 && (
        <p class="dim">
          gone with the last swap:{' '}
          {gone.map((one) => `${SIGNS.removed}${one.kind}:${one.name} (${one.plugin})`).join('  ')}
        </p>
      )}
      {entries.length === 0 && <p class="dim">nothing is installed</p>}
    </>
  )
}

function EntryRow({ entry, state }: { readonly entry: Entry; readonly state: State }): VNode {
  const change = changeOf(entry, state)
  const source = state.sources.find(
    (one) => one.plugin === entry.plugin && one.kind === entry.kind && one.name === entry.name,
  )
  const folder = state.plugins.find((one) => one.id === entry.plugin)?.path
  return (
    <tr class={change ? 'is-changed' : ''}>
      <td class="sign" title={change && `${change} in the last swap`}>
        {change ? SIGNS[change] : ''}
      </td>
      <td class="name">{nameOf(entry, state)}</td>
      <td>{entry.plugin}</td>
      <td class="dim number">gen {entry.generation}</td>
      <td class={entry.status === 'installed' ? 'good' : 'warn'} title={entry.reason}>
        {entry.status}
        {entry.reason !== undefined && <span class="dim">: {entry.reason}</span>}
      </td>
      <td class="dim place" title={source?.file}>
        {source && `${shortPath(source.file, folder)}:${source.line}`}
      </td>
    </tr>
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
