import type { DevEvent } from '../../../protocol.ts'
import type { Api } from './api.ts'
import { type EventFrame, readEventFrames } from './event-frames.ts'
import type { State, Store } from './store.ts'

const MAX_LOG = 300
const MAX_SWAPS = 300
/** Milliseconds until the first and at most between two tries. */
const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 4_000

/** Follows the server for as long as the page lives: state at first, then events, and again after a lost connection. */
export async function followServer(api: Api, store: Store): Promise<never> {
  const refresh = createRefresher(api, store)
  let lastId = '0'
  let pause = FIRST_RETRY_MS
  for (;;) {
    const answer = await api.events(lastId, new AbortController().signal).catch(() => undefined)
    if (answer?.status === 403) store.set({ connection: 'refused' })
    else if (answer?.ok && answer.body) {
      store.set({ connection: 'live' })
      pause = FIRST_RETRY_MS
      refresh()
      await readEventFrames(answer.body, (frame) => {
        if (frame.id !== '') lastId = frame.id
        takeFrame(store, frame, refresh)
      })
      store.set({ connection: 'lost' })
    } else store.set({ connection: 'lost' })
    await new Promise((resolve) => setTimeout(resolve, pause))
    pause = Math.min(pause * 2, LAST_RETRY_MS)
  }
}

function takeFrame(store: Store, frame: EventFrame, refresh: () => void): void {
  const state = store.get()
  const line = { key: (state.log[0]?.key ?? 0) + 1, at: frame.at, name: frame.name, data: frame.data }
  store.set({ log: [line, ...state.log].slice(0, MAX_LOG) })
  const [subject] = frame.name.split('.')
  if (subject === 'turn' || subject === 'tool' || subject === 'llm') store.set({ turns: state.turns + 1 })
  if (['swap', 'rejected', 'removed'].includes(frame.name)) store.set(afterSwap(state, frame))
  // What an event changes is asked for, so that nothing here can drift away from the host.
  if (subject === 'plugin' || ['swap', 'rejected', 'removed', 'warning', 'types'].includes(frame.name))
    refresh()
}

/** Shows a swap at once, without waiting for the whole state. */
function afterSwap(state: State, { at, data }: EventFrame): Partial<State> {
  const event: Extract<DevEvent, { type: 'swap' | 'rejected' | 'removed' }> = JSON.parse(data)
  if (event.type !== 'rejected' && event.type !== 'swap' && event.type !== 'removed') return {}
  const known = state.swaps.some((one) => one.at === at && one.plugin === event.plugin)
  const swaps = known ? state.swaps : [...state.swaps.slice(1 - MAX_SWAPS), { ...event, at }]
  if (event.type === 'rejected') return { swaps }
  // A replayed event of the past mends nothing that came after it.
  const isOver = (one: State['problems'][number]) => one.about !== 'types' || event.type === 'removed'
  const problems = state.problems.filter((one) => one.plugin !== event.plugin || one.at > at || !isOver(one))
  if (event.type === 'removed') return { swaps, problems }
  const plugins = state.plugins.map((one) =>
    one.id === event.plugin && one.generation < event.generation
      ? { ...one, generation: event.generation }
      : one,
  )
  return { swaps, problems, plugins }
}

/** Gives what asks for the whole state; while it is asked for, further calls make one more asking. */
function createRefresher(api: Api, store: Store): () => void {
  let running = false
  let again = false
  const load = async () => {
    const load = async <Key extends keyof State>(key: Key): Promise<Partial<State>> => {
      const reply = await api.get<State[Key]>(key)
      return reply.ok ? { [key]: reply.body } : {}
    }
    const parts = await Promise.all([
      load('plugins'),
      load('ledger'),
      load('problems'),
      load('swaps'),
      load('tools'),
      load('commands'),
      load('panels'),
      load('sources'),
    ])
    store.set(Object.assign({ revision: store.get().revision + 1 }, ...parts))
  }
  return async () => {
    again = true
    if (running) return
    running = true
    while (again) {
      again = false
      await load()
    }
    running = false
  }
}
