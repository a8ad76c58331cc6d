import type { SubagentService } from '../../sdk/index.ts'
import { type Dispose, once } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'

type Task = Parameters<SubagentService['run']>[0]
type Watch = Parameters<SubagentService['run']>[1]
type Answer = Awaited<ReturnType<SubagentService['run']>>

/** A turn that may have sub-agents. */
export interface ParentTurn {
  readonly conversation: string
  spawn(task: Task, watch: Watch): Promise<Answer>
}

/** The sub-agents of this host. */
export interface Subagents {
  readonly service: SubagentService
  /** A turn runs: until disposed its calls may start sub-agents. */
  enter(parent: ParentTurn): Dispose
}

/** How many work at once unless said, and at most (bundled-plugins 3). */
export const PARALLEL_SUBAGENTS = 4
const MOST_PARALLEL = 16

/** Makes them; `parallel` is asked at each start. A sub-agent's own turn is never entered, so none is nested. */
export function createSubagents(options: {
  readonly parallel: () => Promise<number | undefined>
}): Subagents {
  const parents = new Map<string, ParentTurn>()
  const gate = createGate()
  const run = async (task: Task, watch: Watch): Promise<Answer> => {
    const parent = parents.get(task.conversation)
    if (parent === undefined) {
      return {
        ok: false,
        error: 'Sub-agents work for a running conversation only, and start none themselves.',
      }
    }
    const parallel = Math.min(MOST_PARALLEL, Math.max(1, (await options.parallel()) ?? PARALLEL_SUBAGENTS))
    const leave = await gate.enter(parallel, watch.signal)
    if (leave === undefined) return { ok: false, error: 'Cancelled before it started.' }
    try {
      return await parent.spawn(task, watch)
    } catch (thrown) {
      return { ok: false, error: `The sub-agent failed inside amber: ${messageOf(thrown)}` }
    } finally {
      leave()
    }
  }
  return {
    service: { run },
    enter(parent) {
      parents.set(parent.conversation, parent)
      return once(() => {
        if (parents.get(parent.conversation) === parent) parents.delete(parent.conversation)
      })
    },
  }
}

/** Lets so many in at once; the others wait in order. */
function createGate() {
  let inside = 0
  const waiting: { readonly limit: number; readonly admit: () => void }[] = []
  const next = () => {
    const first = waiting[0]
    if (first === undefined || inside >= first.limit) return
    waiting.shift()
    first.admit()
  }
  const leave = () =>
    once(() => {
      inside--
      next()
    })
  return {
    /** Resolves to the way out; undefined when the signal aborted first. */
    enter(limit: number, signal: AbortSignal): Promise<Dispose | undefined> {
      if (signal.aborted) return Promise.resolve(undefined)
      return new Promise((resolve) => {
        const abort = () => {
          const at = waiting.findIndex((one) => one.admit === admit)
          if (at >= 0) waiting.splice(at, 1)
          resolve(undefined)
        }
        const admit = () => {
          signal.removeEventListener('abort', abort)
          inside++
          resolve(leave())
        }
        if (inside < limit) {
          admit()
          return
        }
        signal.addEventListener('abort', abort, { once: true })
        waiting.push({ limit, admit })
      })
    },
  }
}
