import { useEffect, useState } from 'preact/hooks'
import type { CommandRoot } from '../../../../host/command/tree.ts'
import type { PluginInfo } from '../../../../host/plugin/live-plugin.ts'
import type { LedgerEntry } from '../../../../host/registry/contribution.ts'
import type { PastSwap, Problem } from '../../../history.ts'
import type { PanelRow, ToolRow } from '../../../http/inspector-api.ts'
import type { Source } from '../../../sources.ts'

/** One line of the event log. */
export interface LogLine {
  /** Unique and growing. */
  readonly key: number
  readonly at: number
  readonly name: string
  readonly data: string
}

/** How things stand with the server; `refused`: it is another one than the token is for. */
export type Connection = 'connecting' | 'live' | 'lost' | 'refused'

/** All that is known of the host. */
export interface State {
  readonly connection: Connection
  readonly plugins: readonly PluginInfo[]
  readonly ledger: readonly LedgerEntry[]
  readonly sources: readonly Source[]
  readonly tools: readonly ToolRow[]
  readonly commands: readonly (Omit<CommandRoot, 'plugin'> & { readonly plugin: string | null })[]
  readonly panels: readonly PanelRow[]
  readonly swaps: readonly PastSwap[]
  readonly problems: readonly Problem[]
  readonly log: readonly LogLine[]
  /** Grows whenever the host is another than before: what is drawn from it is asked for again. */
  readonly revision: number
  /** Grows with each event of a turn. */
  readonly turns: number
}

/** State that can be watched. */
export interface Store {
  get(): State
  set(change: Partial<State>): void
  watch(handler: () => void): () => void
}

/** Makes a store that knows nothing yet. */
export function createStore(): Store {
  let state: State = {
    connection: 'connecting',
    plugins: [],
    ledger: [],
    sources: [],
    tools: [],
    commands: [],
    panels: [],
    swaps: [],
    problems: [],
    log: [],
    revision: 0,
    turns: 0,
  }
  const handlers = new Set<() => void>()
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change }
      for (const handler of [...handlers]) handler()
    },
    watch(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
  }
}

/** The state, drawn anew when it changes. */
export function useStore(store: Store): State {
  const [state, setState] = useState(store.get())
  useEffect(() => {
    setState(store.get())
    return store.watch(() => setState(store.get()))
  }, [store])
  return state
}
