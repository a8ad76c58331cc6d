import { type Dispose, once } from '../base/disposable.ts'
import type { CoreHandler } from './dispatch.ts'

/** Handlers of amber's own commands, by dotted path with the root first (`set.policy.mode`). */
export interface CommandBindings {
  /** The newest binding wins until it is disposed of; then the one before it is back. */
  bind(path: string, handler: CoreHandler): Dispose
  get(path: string): CoreHandler | undefined
}

/** Makes an empty set: a screen binds what only it can do (`quit`), the host the rest. */
export function createCommandBindings(): CommandBindings {
  const bound = new Map<string, CoreHandler[]>()
  return {
    bind(path, handler) {
      const list = bound.get(path) ?? []
      bound.set(path, list)
      list.push(handler)
      return once(() => {
        const index = list.lastIndexOf(handler)
        if (index >= 0) list.splice(index, 1)
      })
    },
    get: (path) => bound.get(path)?.at(-1),
  }
}
