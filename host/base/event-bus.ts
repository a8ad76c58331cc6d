import type { EventName, HostEvents } from '../../sdk/index.ts'
import type { Clock } from './clock.ts'
import { type Dispose, once } from './disposable.ts'
import { messageOf } from './errors.ts'
import { changedBy, type GateName, vetoOf } from './gate.ts'
import { type AnyHandler, createHandlerLists, type HandlerRow } from './handler-list.ts'
import { copyOf } from './plain-data.ts'
import { isPromise } from './values.ts'

/** How long an interceptor may take before its gate closes (EVT-3), in milliseconds. */
export const GATE_DEADLINE_MS = 2_000

/** A handler that threw, rejected or missed a gate's deadline. */
export interface HandlerFault {
  readonly owner: string
  readonly label: string
  readonly event: EventName
  readonly thrown: unknown
}

/** What came of offering an event to its interceptors. */
export type Intercepted<Name extends GateName> =
  | { readonly vetoed: false; readonly event: HostEvents[Name] }
  | { readonly vetoed: true; readonly owner: string; readonly reason: string }

/** How a handler is subscribed. */
export interface SubscribeOptions {
  /** Named in faults; the event's name unless said. */
  readonly label?: string
  /** Handlers of a lower rank come first, equals in order of subscription; 0 unless said. */
  readonly rank?: number
  /** On a gate: only told of the event as it was let through, after every interceptor. */
  readonly observe?: boolean
  /** Made now, called only after `activate()`: for a version that is not live yet (SWAP-2). */
  readonly staged?: boolean
}

/** One subscription. Both are idempotent; a disposed one cannot be activated. */
export interface Subscription {
  readonly dispose: Dispose
  readonly activate: () => void
}

/** The host's events (EVT-1). */
export interface EventBus {
  subscribe<Name extends EventName>(
    owner: string,
    name: Name,
    handler: AnyHandler<Name>,
    options?: SubscribeOptions,
  ): Subscription
  /** Whether anybody listens: lets a publisher skip making the event (EVT-4). */
  has(name: EventName): boolean
  /** Tells every handler; waits for none of them. */
  publish<Name extends EventName>(name: Name, event: HostEvents[Name]): void
  /** Offers the event to its interceptors in order, then tells the observers what was let through (EVT-3). */
  intercept<Name extends GateName>(name: Name, event: HostEvents[Name]): Promise<Intercepted<Name>>
  /** Removes all live handlers of an owner. */
  removeOwner(owner: string): void
  /** How many live handlers an event has, or an owner has of it. */
  count(name: EventName, owner?: string): number
}

/** What a bus is made with. */
export interface BusOptions {
  readonly onFault: (fault: HandlerFault) => void
  readonly clock: Clock
  /** How long an interceptor may take; 2 s unless said. */
  readonly gateDeadlineMs?: number
}

/** Makes a bus. `onFault` hears of every fault of a handler; one of its own is contained (row L10). */
export function createEventBus(options: BusOptions): EventBus {
  const lists = createHandlerLists()
  let sequence = 0

  const { tell, settle, report } = createCaller(options)
  return {
    subscribe(owner, name, handler, how = {}) {
      const row = { ...placeOf(owner, name, how), sequence: sequence++, call: handler, live: false }
      let disposed = false
      const activate = once(() => {
        if (!disposed) lists[name].insert(row)
      })
      if (!how.staged) activate()
      return {
        activate,
        dispose: once(() => {
          disposed = true
          lists[name].remove((one) => one === row)
        }),
      }
    },

    has: (name) => lists[name].rows().length > 0,

    publish(name, event) {
      for (const row of lists[name].rows()) if (row.live) tell(row, name, event)
    },

    async intercept(name, event) {
      const rows = lists[name].rows()
      let current = event
      for (const row of rows) {
        if (row.observe || !row.live) continue
        try {
          const answer = await settle(row, current)
          const reason = vetoOf(answer)
          if (reason !== undefined) return { vetoed: true, owner: row.owner, reason }
          current = changedBy(name, current, answer)
        } catch (thrown) {
          report(row, name, thrown)
          return { vetoed: true, owner: row.owner, reason: `its handler failed: ${messageOf(thrown)}` }
        }
      }
      for (const row of rows) if (row.observe && row.live) tell(row, name, current)
      return { vetoed: false, event: current }
    },

    removeOwner(owner) {
      for (const list of Object.values(lists)) list.remove((row) => row.owner === owner)
    },

    count(name, owner) {
      const rows = lists[name].rows()
      return owner === undefined ? rows.length : rows.filter((row) => row.owner === owner).length
    },
  }
}

function placeOf(owner: string, name: EventName, how: SubscribeOptions) {
  return { owner, label: how.label ?? name, rank: how.rank ?? 0, observe: how.observe ?? false }
}

/** A copy for one handler: it changes an event by its answer only, and never behind the back of whoever comes next. */
function handed<Event extends object>(event: Event): Event {
  return 'arguments' in event ? { ...event, arguments: copyOf(event.arguments) } : { ...event }
}

/** Calls handlers so that no fault of theirs reaches the publisher. */
function createCaller(options: BusOptions) {
  const deadlineMs = options.gateDeadlineMs ?? GATE_DEADLINE_MS
  const report = (
    row: { readonly owner: string; readonly label: string },
    event: EventName,
    thrown: unknown,
  ) => {
    try {
      options.onFault({ owner: row.owner, label: row.label, event, thrown })
    } catch {
      // The reporter's own fault must not reach the publisher (L10).
    }
  }

  const tell = <Name extends EventName>(row: HandlerRow<Name>, name: Name, event: HostEvents[Name]) => {
    try {
      const answer = row.call(handed(event))
      if (isPromise(answer)) answer.then(undefined, (thrown) => report(row, name, thrown))
    } catch (thrown) {
      report(row, name, thrown)
    }
  }

  const settle = <Name extends GateName>(row: HandlerRow<Name>, event: HostEvents[Name]): unknown => {
    const answer = row.call(handed(event))
    if (!isPromise(answer)) return answer
    return new Promise((resolve, reject) => {
      const cancel = options.clock.after(deadlineMs, () =>
        reject(new Error(`no answer within ${deadlineMs} ms`)),
      )
      answer.then(resolve, reject).then(cancel, cancel)
    })
  }

  return { report, tell, settle }
}
