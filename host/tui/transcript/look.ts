import type { Theme } from '../look/theme.ts'
import type { Highlight } from './highlight.ts'

/** What blocks are drawn with. A new object when anything in it changes: it is part of every cache's key. */
export interface Look {
  readonly theme: Theme
  /** Takes Markdown apart; undefined where it is shown as it is written, and until it is loaded. */
  readonly markdown: MarkdownPieces | undefined
  /** Undefined until the highlighter is loaded. */
  readonly highlight: Highlight | undefined
  /** Asks for the highlighter; the look changes when it is there. */
  wantHighlight(): void
}

/** A part of a Markdown text that stands by itself. */
export interface MarkdownPiece {
  readonly raw: string
  readonly isBlank: boolean
  draw(width: number, look: Look): readonly string[]
}

/** Takes a text apart. */
export type MarkdownPieces = (text: string) => readonly MarkdownPiece[]
