import type { Look } from './look.ts'

/** One thing of a conversation: a message, a call, a notice. */
export interface Block {
  /** Two blocks of one such kind stand without a blank line between them. */
  readonly dense: string
  /** Grows with each change of what it shows. */
  stamp(now: number): number
  /** Its lines, each `width` columns at most. Everything untrusted in them is sanitised. `now` is monotonic, in ms. */
  draw(width: number, look: Look, now: number): readonly string[]
  /** Absent where there is nothing to unfold. */
  readonly fold?: Fold
}

/** Whether a block shows its details. */
export interface Fold {
  isOpen(): boolean
  set(open: boolean): void
}

/** What hangs under a block's first line, two columns in. */
export const INDENT = '  '
