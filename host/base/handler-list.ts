import type { EventName, HostEvents } from '../../sdk/index.ts'

/** A handler as the bus keeps it; what it answers matters on gates alone. */
export type AnyHandler<Name extends EventName> = (event: HostEvents[Name]) => unknown

/** One subscribed handler. */
export interface HandlerRow<Name extends EventName> {
  readonly owner: string
  readonly label: string
  readonly rank: number
  readonly sequence: number
  readonly observe: boolean
  readonly call: AnyHandler<Name>
  /** False before it is live and once it is removed: a running publish skips it then. */
  live: boolean
}

/** The handlers of one event in (rank, subscription) order. The list is replaced, never changed, so it can be walked. */
export interface HandlerList<Name extends EventName> {
  rows(): readonly HandlerRow<Name>[]
  insert(row: HandlerRow<Name>): void
  remove(unwanted: (row: HandlerRow<Name>) => boolean): void
}

/** The handlers of every event. */
export type HandlerLists = { readonly [Name in EventName]: HandlerList<Name> }

function createList<Name extends EventName>(): HandlerList<Name> {
  let rows: readonly HandlerRow<Name>[] = []
  return {
    rows: () => rows,
    insert(row) {
      row.live = true
      rows = [...rows, row].sort((left, right) => left.rank - right.rank || left.sequence - right.sequence)
    },
    remove(unwanted) {
      if (!rows.some(unwanted)) return
      for (const row of rows) if (unwanted(row)) row.live = false
      rows = rows.filter((row) => !unwanted(row))
    },
  }
}

/** An empty list for each event. */
export function createHandlerLists(): HandlerLists {
  return {
    'turn.started': createList(),
    'turn.ended': createList(),
    'message.added': createList(),
    'tool.requested': createList(),
    'tool.completed': createList(),
    'llm.response': createList(),
    'compression.started': createList(),
    'compression.completed': createList(),
    'error.raised': createList(),
    'plugin.loaded': createList(),
    'plugin.unloaded': createList(),
    'plugin.swapped': createList(),
  }
}
