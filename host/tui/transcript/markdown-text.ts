import { wrap } from '../look/text.ts'
import type { Look } from './look.ts'

/** A text in Markdown that grows; what cannot change any more is drawn once for each width. */
export interface MarkdownText {
  /** Already sanitised. */
  append(text: string): void
  text(): string
  lines(width: number, look: Look): readonly string[]
}

/** Makes an empty one. */
export function createMarkdownText(): MarkdownText {
  let text = ''
  let sealedTo = 0
  let sealed: string[] = []
  let key: { readonly width: number; readonly look: Look } | undefined
  return {
    append(more) {
      text += more
    },
    text: () => text,
    lines(width, look) {
      if (look.markdown === undefined) return wrap(text.trimEnd(), width)
      if (key?.width !== width || key.look !== look) {
        key = { width, look }
        sealedTo = 0
        sealed = []
      }
      const pieces = look.markdown(text.slice(sealedTo))
      // Only the last one can still change: a list goes on after a blank line, a table grows by rows.
      const last = pieces.findLastIndex(({ isBlank }) => !isBlank)
      for (const piece of pieces.slice(0, Math.max(0, last))) {
        sealedTo += piece.raw.length
        if (!piece.isBlank) sealed.push(...spaced(sealed, piece.draw(width, look)))
      }
      const open = pieces[last]
      return open === undefined ? sealed : [...sealed, ...spaced(sealed, open.draw(width, look))]
    },
  }
}

/** One blank line between two blocks, whatever the source has. */
function spaced(before: readonly string[], lines: readonly string[]): readonly string[] {
  return before.length === 0 || lines.length === 0 ? lines : ['', ...lines]
}
