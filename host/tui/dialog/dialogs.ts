import type { Clock } from '../../base/clock.ts'
import type { Theme } from '../look/theme.ts'
import type { TerminalInput } from '../terminal/keys.ts'

/** How a dialog is drawn. */
export interface DialogShape {
  readonly width: number
  /** Rows at most. */
  readonly height: number
  readonly theme: Theme
  /** Monotonic milliseconds. */
  readonly now: number
}

/** A dialog as it is drawn. */
export interface DialogView {
  readonly rows: readonly string[]
  readonly cursor?: { readonly row: number; readonly column: number }
}

/** A question to the user. Whoever opened it waits for its answer. */
export interface Dialog {
  draw(shape: DialogShape): DialogView
  input(input: TerminalInput): void
  /** Answers no: Esc, or the screen goes away. */
  cancel(): void
  /** Something in it counts down. */
  readonly isTimed: boolean
}

/** The questions that wait, one shown at a time and none inside another. */
export interface Dialogs {
  current(): Dialog | undefined
  /** How many wait behind the one that is shown. */
  waiting(): number
  /** Shows a dialog as soon as those before it are answered; `make` gets what closes it. */
  open<Answer>(
    make: (answer: (value: Answer) => void) => Dialog,
    options: OpenOptions<Answer>,
  ): Promise<Answer>
  input(input: TerminalInput): void
  cancelAll(): void
}

/** What opening a dialog may say. */
export interface OpenOptions<Answer> {
  /** Aborted: the question is moot, whether it was shown or not. */
  readonly signal?: AbortSignal
  /** What then is the answer. */
  readonly otherwise: Answer
}

/** Letters typed into something else must not answer a question that appears under them. In milliseconds. */
const TYPED_RECENTLY_MS = 1000
const DEAF_MS = 500

/** Makes an empty queue. `lastTypedAt` is monotonic. */
export function createDialogs(deps: {
  readonly clock: Clock
  readonly lastTypedAt: () => number
  readonly onChange: () => void
}): Dialogs {
  const { clock, onChange } = deps
  const queue: Dialog[] = []
  let deafUntil = 0
  const shown = () => {
    const now = clock.monotonic()
    deafUntil = now - deps.lastTypedAt() < TYPED_RECENTLY_MS ? now + DEAF_MS : 0
    onChange()
  }
  return {
    current: () => queue[0],
    waiting: () => Math.max(0, queue.length - 1),
    open(make, { signal, otherwise }) {
      return new Promise((resolve) => {
        if (signal?.aborted) {
          resolve(otherwise)
          return
        }
        const close = (value: typeof otherwise) => {
          const at = queue.indexOf(dialog)
          if (at < 0) return
          queue.splice(at, 1)
          signal?.removeEventListener('abort', moot)
          if (at === 0 && queue.length > 0) shown()
          else onChange()
          resolve(value)
        }
        const moot = () => close(otherwise)
        const dialog = make(close)
        signal?.addEventListener('abort', moot, { once: true })
        queue.push(dialog)
        if (queue.length === 1) shown()
        else onChange()
      })
    },
    input(input) {
      const isEscape = input.kind === 'key' && (input.key === 'escape' || input.key === 'ctrl+c')
      if (isEscape) queue[0]?.cancel()
      else if (clock.monotonic() >= deafUntil) queue[0]?.input(input)
    },
    cancelAll() {
      for (const dialog of [...queue]) dialog.cancel()
    },
  }
}
