import type { VNode } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { Api } from '../data/api.ts'
import { type PageKey, usePageKeys } from '../data/keys.ts'
import { hrefOf, parseRoute, type Route, TABS, type Tab, useRoute } from '../data/route.ts'
import { type Connection, type Store, useStore } from '../data/store.ts'
import { EventLog } from './event-log.tsx'
import { Ledger } from './ledger.tsx'
import { PluginList, pluginsInOrder } from './plugin-list.tsx'
import { Problems } from './problems.tsx'
import { Prompt } from './prompt.tsx'
import { Screen } from './screen.tsx'
import { Timeline } from './timeline.tsx'
import { Try, type ViewProps } from './try.tsx'
import { Turn } from './turn.tsx'

const VIEWS: Readonly<Record<Tab, (props: ViewProps) => VNode>> = {
  ledger: Ledger,
  timeline: Timeline,
  try: Try,
  prompt: Prompt,
  screen: Screen,
  turn: Turn,
}

/** The whole page: plugins, the chosen view, problems and events. */
export function App({ api, store }: { readonly api: Api; readonly store: Store }): VNode {
  const state = useStore(store)
  const route = useRoute()
  const help = useRef<HTMLDialogElement>(null)
  const keys = useMemo(() => pageKeys(store, () => help.current?.showModal()), [store])
  usePageKeys(keys)
  const View = VIEWS[route.tab]
  return (
    <>
      <header>
        <h1>amber dev</h1>
        <nav class="tabs" aria-label="views">
          {TABS.map((tab, index) => (
            <a
              key={tab}
              href={hrefOf({ tab, query: keptIn(route) })}
              aria-current={tab === route.tab ? 'page' : undefined}
            >
              <kbd>{index + 1}</kbd> {tab}
            </a>
          ))}
        </nav>
        <Standing connection={state.connection} />
        <button type="button" aria-label="keys" onClick={() => help.current?.showModal()}>
          ?
        </button>
      </header>
      <div class="columns">
        <PluginList state={state} route={route} />
        <main aria-label={route.tab}>
          <View {...{ api, state, route }} />
        </main>
        <aside>
          <Problems state={state} />
          <EventLog state={state} />
        </aside>
      </div>
      <dialog ref={help} aria-label="keys">
        <h2>keys</h2>
        <dl>
          {[...keys, ...OTHER_KEYS].map(({ key, what }) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit">close</button>
        </form>
      </dialog>
    </>
  )
}

const OTHER_KEYS = [
  { key: 'Ctrl+Enter', what: 'run the form that you are in' },
  { key: 'Escape', what: 'leave a field, a panel or this list' },
]

const WORDS: Readonly<Record<Connection, readonly [tone: string, text: string]>> = {
  connecting: ['dim', '○ connecting …'],
  live: ['good', '● live'],
  lost: ['crit', '✗ connection lost, trying again …'],
  refused: ['crit', '✗ this token is not the server’s: open the address that amber dev printed'],
}

function Standing({ connection }: { readonly connection: Connection }): VNode {
  const [tone, text] = WORDS[connection]
  return (
    <span class={`standing ${tone}`} role="status">
      {text}
    </span>
  )
}

/** Of an address, what other views mean as well. */
function keptIn({ query }: Route): Route['query'] {
  return query.plugin === undefined ? {} : { plugin: query.plugin }
}

/** The keys ask for the address and the state when they are pressed: whoever types fast is ahead of what is drawn. */
function pageKeys(store: Store, showHelp: () => void): readonly PageKey[] {
  const now = () => parseRoute(location.hash)
  const choose = (id: string | undefined) => {
    const route = now()
    const { plugin: _gone, ...query } = route.query
    location.hash = hrefOf({ ...route, query: id === undefined ? query : { ...query, plugin: id } })
  }
  const step = (by: number) => {
    const ids = pluginsInOrder(store.get().plugins).map((one) => one.id)
    const at = ids.indexOf(now().query.plugin ?? '')
    choose(ids[at === -1 ? (by > 0 ? 0 : ids.length - 1) : at + by])
  }
  const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus()
  return [
    ...TABS.map((tab, index) => ({
      key: String(index + 1),
      what: tab,
      run: () => {
        location.hash = hrefOf({ tab, query: keptIn(now()) })
      },
    })),
    { key: 'j', what: 'next plugin', run: () => step(1) },
    { key: 'k', what: 'plugin before', run: () => step(-1) },
    { key: 'a', what: 'all plugins', run: () => choose(undefined) },
    { key: '/', what: 'filter events', run: () => focus('#filter') },
    {
      key: 'm',
      what: 'go into the view',
      run: () => focus('main :is(input, textarea, select, button, summary, a, [tabindex])'),
    },
    { key: '?', what: 'this list', run: showHelp },
  ]
}
