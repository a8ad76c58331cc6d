import type { SwapPhases } from '../host/plugin/swap-result.ts'
import { type FramedDiagnostic, frameAll } from './excerpt.ts'
import type { DevEvent } from './protocol.ts'

/** A swap, or a rejected one, and when it was told, in milliseconds since 1970. */
export type PastSwap = Extract<DevEvent, { type: 'swap' | 'rejected' | 'removed' }> & { readonly at: number }

/** Something that is wrong now. */
export interface Problem {
  readonly severity: 'error' | 'warning'
  /** Null for what belongs to no plugin. */
  readonly plugin: string | null
  readonly at: number
  /** Where a rejected swap failed. */
  readonly phase?: keyof SwapPhases
  /** What is said where there are no findings with a place. */
  readonly message?: string
  readonly diagnostics: readonly FramedDiagnostic[]
  /** It stands until the types are mended, whatever is swapped meanwhile. */
  readonly about?: 'types'
}

/** What happened to the plugins, and what is wrong with them now. */
export interface History {
  take(event: DevEvent): void
  /** Oldest first. */
  swaps(): readonly PastSwap[]
  /** Newest first; what was mended is gone. */
  problems(): readonly Problem[]
}

const MAX_SWAPS = 300
const MAX_PROBLEMS = 100
/** Findings of one rejection. */
const MAX_FINDINGS = 20

/** Makes an empty history; `now` gives milliseconds since 1970. */
export function createHistory(now: () => number): History {
  let swaps: PastSwap[] = []
  let problems: Problem[] = []
  const forget = (gone: (one: Problem) => boolean) => {
    problems = problems.filter((one) => !gone(one))
  }
  const add = (problem: Problem) => {
    problems = [problem, ...problems].slice(0, MAX_PROBLEMS)
  }
  const record = (swap: PastSwap) => {
    swaps = [...swaps.slice(1 - MAX_SWAPS), swap]
  }
  return {
    swaps: () => swaps,
    problems: () => problems,
    take(event) {
      const at = now()
      // Of the types, the whole state is told beside its parts.
      if (event.type === 'ready' || (event.type === 'warning' && event.about === 'types')) return
      if (event.type === 'types') {
        const { plugin } = event
        forget((one) => one.plugin === plugin && one.about === 'types')
        const diagnostics = frameAll(event.diagnostics.slice(0, MAX_FINDINGS))
        if (diagnostics.length > 0) add({ severity: 'warning', plugin, at, diagnostics, about: 'types' })
        return
      }
      if (event.type === 'warning') {
        const plugin = event.plugin ?? null
        forget((one) => one.plugin === plugin && one.message === event.message)
        const findings = event.diagnostic === undefined ? [] : [event.diagnostic]
        return add({
          severity: 'warning',
          plugin,
          at,
          message: event.message,
          diagnostics: frameAll(findings),
        })
      }
      record({ ...event, at })
      // A rejected version has nothing of its own to warn of: the warnings are of the one that answers.
      forget((one) => one.plugin === event.plugin && isOver(one, event.type))
      if (event.type !== 'rejected') return
      const { plugin, phase } = event
      const diagnostics = frameAll(event.diagnostics.slice(0, MAX_FINDINGS))
      add({ severity: 'error', plugin, at, phase, diagnostics })
    },
  }
}

/** Whether a problem of a plugin ends with what happened to the plugin. */
function isOver({ severity, about }: Problem, happened: PastSwap['type']): boolean {
  if (happened === 'removed') return true
  return about !== 'types' && (happened === 'swap' || severity === 'error')
}
