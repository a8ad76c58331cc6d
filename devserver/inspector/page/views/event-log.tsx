import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { LogLine, State } from '../data/store.ts'
import { cutText, timeOf } from '../data/text.ts'

/** The newest events, with a filter over their names and their data. */
export function EventLog({ state }: { readonly state: State }): VNode {
  const [filter, setFilter] = useState('')
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = state.log.filter((line) =>
    words.every((word) => `${line.name} ${line.data}`.toLowerCase().includes(word)),
  )
  return (
    <section class="log" aria-label="events">
      <h2>
        events{' '}
        <span class="dim">
          {shown.length === state.log.length ? shown.length : `${shown.length} of ${state.log.length}`}
        </span>
      </h2>
      <input
        id="filter"
        type="search"
        placeholder="filter ( / )"
        aria-label="filter events"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      <ol>
        {shown.map((line) => (
          <Event key={line.key} line={line} />
        ))}
      </ol>
    </section>
  )
}

function Event({ line }: { readonly line: LogLine }): VNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <time class="dim">{timeOf(line.at)}</time> <b class={toneOf(line)}>{line.name}</b>{' '}
        <span class="dim">{gistOf(line.data)}</span>
      </button>
      {isOpen && <pre>{cutText(pretty(line.data), 20_000)}</pre>}
    </li>
  )
}

function toneOf({ name, data }: LogLine): string {
  if (name === 'rejected' || name === 'error.raised') return 'crit'
  if (name === 'warning') return 'warn'
  if (name === 'swap') return 'good'
  return name === 'tool.completed' && data.includes('"ok":false') ? 'warn' : ''
}

/** The keys that tell what an event is about. */
const GIST = [
  'plugin',
  'name',
  'generation',
  'phase',
  'message',
  'prompt',
  'role',
  'text',
  'reason',
  'model',
  'finishReason',
]

/** What an event is about, in a few words. */
function gistOf(data: string): string {
  const value = parse(data)
  const parts = GIST.map((key) => Reflect.get(value, key)).filter(
    (one) => typeof one === 'string' || typeof one === 'number',
  )
  return parts.join(' · ').slice(0, 160)
}

function pretty(data: string): string {
  return JSON.stringify(parse(data), undefined, 2)
}

function parse(data: string): object {
  try {
    return Object(JSON.parse(data))
  } catch {
    return {}
  }
}
