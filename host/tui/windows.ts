import type { Conversation } from './conversation.ts'

/** The conversations of one screen, and which of them is looked at. */
export interface Windows {
  readonly all: readonly Conversation[]
  current(): Conversation | undefined
  /** From 0. */
  index(): number
  add(conversation: Conversation): void
  /** False: there is no such window. */
  show(index: number): boolean
  remove(index: number): void
  /** Hears that another window is looked at. */
  onShow(handler: () => void): void
  /** By number from 1 or by name. */
  find(text: string): number | undefined
}

/** Makes an empty row of windows. */
export function createWindows(): Windows {
  const all: Conversation[] = []
  let at = 0
  let shown = () => {}
  return {
    all,
    current: () => all[at],
    index: () => at,
    add(conversation) {
      at = all.push(conversation) - 1
    },
    show(index) {
      if (all[index] === undefined) return false
      at = index
      shown()
      return true
    },
    remove(index) {
      all.splice(index, 1)
      if (at > index || at >= all.length) at = Math.max(0, at - 1)
    },
    onShow(handler) {
      shown = handler
    },
    find(text) {
      if (text === '') return at
      const number = Number(text)
      if (Number.isSafeInteger(number) && all[number - 1] !== undefined) return number - 1
      const named = all.findIndex(({ name }) => name === text)
      return named < 0 ? undefined : named
    },
  }
}
