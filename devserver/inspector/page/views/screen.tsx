import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { DrawnSegment } from '../../../../host/registry/compose-status.ts'
import type { PanelRow } from '../../../http/inspector-api.ts'
import type { Api } from '../data/api.ts'
import { useAsked } from '../data/ask.ts'
import { panelKeyOf } from '../data/keys.ts'
import { hrefOf } from '../data/route.ts'
import type { ViewProps } from './try.tsx'

type Segment = DrawnSegment & { readonly shown: boolean }
interface Status {
  readonly text: string
  readonly segments: readonly Segment[]
}

/** The status bar at any width, and the panels. */
export function Screen({ api, state, route }: ViewProps): VNode {
  const width = widthOf(route.query.width)
  const when = [state.revision, state.turns]
  const status = useAsked<Status>(api, `status?width=${width}`, when)
  const narrowest = useAsked<Status>(api, 'status?width=1', when)
  const go = (columns: number) =>
    location.replace(hrefOf({ ...route, query: { ...route.query, width: String(columns) } }))
  return (
    <>
      <section aria-label="status bar">
        <div class="row">
          <label for="width">width</label>
          <input
            id="width"
            type="range"
            min="20"
            max="200"
            value={width}
            onInput={(event) => go(Number(event.currentTarget.value))}
          />
          <output for="width">{width} columns</output>
          {[48, 80, 120].map((columns) => (
            <button key={columns} type="button" onClick={() => go(columns)}>
              {columns}
            </button>
          ))}
        </div>
        {status?.ok && <Bar status={status.body} width={width} />}
        {status?.ok && narrowest?.ok && (
          <DropOrder all={narrowest.body.segments} now={status.body.segments} />
        )}
      </section>
      {state.panels.map((panel) => (
        <Panel
          key={panel.id}
          {...{ api, panel, width }}
          when={state.revision}
          isChosen={route.rest[0] === panel.id}
        />
      ))}
      {state.panels.length === 0 && <p class="dim">no plugin has a panel</p>}
    </>
  )
}

function widthOf(text: string | undefined): number {
  const width = Number(text ?? '80')
  return Number.isInteger(width) && width >= 20 && width <= 200 ? width : 80
}

function Bar({ status, width }: { readonly status: Status; readonly width: number }): VNode {
  const side = (edge: Segment['edge']) =>
    status.segments
      .filter((one) => one.edge === edge && one.shown)
      .map((one) => (
        <span key={one.name} class={one.tone} title={`${one.name} of ${one.plugin}`}>
          {one.text}
        </span>
      ))
  return (
    <div class="scroll">
      {/* Set by script, which the policy allows; the markup carries no style. */}
      <div class="bar" style={{ width: `${width}ch` }}>
        <span class="edge">{side('left')}</span>
        <span class="edge">{side('right')}</span>
      </div>
    </div>
  )
}

/** Who goes first when there is no room, and who has gone at this width. */
function DropOrder(props: { readonly all: readonly Segment[]; readonly now: readonly Segment[] }): VNode {
  const { all, now } = props
  const order = [...all.filter((one) => !one.shown), ...all.filter((one) => one.shown)]
  const isShown = (one: Segment) =>
    now.some((other) => other.shown && other.name === one.name && other.plugin === one.plugin)
  return (
    <table class="drops">
      <caption>what drops first</caption>
      <tbody>
        {order.map((one, index) => (
          <tr key={`${one.plugin} ${one.name}`} class={isShown(one) ? '' : 'is-dropped'}>
            <td class="number">{index + 1}</td>
            <td class="name">{one.name}</td>
            <td class="dim">{one.plugin}</td>
            <td class="dim number">dropPriority {one.dropPriority}</td>
            <td>{isShown(one) ? <span class="good">shown</span> : <span class="warn">dropped</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface PanelProps {
  readonly api: Api
  readonly panel: PanelRow
  readonly width: number
  readonly when: number
  readonly isChosen: boolean
}

/** A panel that takes keys while it has the keyboard; Escape and Tab stay with the page. */
function Panel({ api, panel, width, when, isChosen }: PanelProps): VNode {
  const [presses, setPresses] = useState(0)
  const [said, setSaid] = useState('')
  const at = useRef<HTMLPreElement>(null)
  const path = `panels/${encodeURIComponent(panel.id)}`
  const lines = useAsked<{ readonly lines: readonly string[] }>(api, `${path}?width=${width}`, [
    when,
    presses,
  ])
  useEffect(() => {
    if (isChosen) at.current?.focus()
  }, [isChosen])
  const press = async (event: KeyboardEvent) => {
    const key = panelKeyOf(event)
    if (key === undefined) return
    event.preventDefault()
    const reply = await api.post<{ readonly handled: boolean }>(`${path}/keys`, { key })
    setSaid(reply.ok ? `${key} ${reply.body.handled ? 'handled' : 'not handled'}` : reply.message)
    setPresses((count) => count + 1)
  }
  return (
    <section class="panel">
      <h3>
        {panel.title} <span class="dim">{panel.plugin}</span>{' '}
        <span class="dim" role="status">
          {said}
        </span>
      </h3>
      <pre
        ref={at}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes keys while it has the keyboard
        tabIndex={0}
        role="application"
        aria-label={`panel ${panel.title}: takes keys, Escape leaves`}
        onKeyDown={(event) => void press(event)}
      >
        {lines?.ok ? lines.body.lines.join('\n') : lines && <span class="crit">{lines.message}</span>}
      </pre>
    </section>
  )
}
