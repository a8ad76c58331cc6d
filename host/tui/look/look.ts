import { type Highlight, loadHighlight } from '../transcript/highlight.ts'
import type { Look, MarkdownPieces } from '../transcript/look.ts'
import { createTheme, readLook } from './theme.ts'

/** What the user's settings say of how things look. */
export interface Shown {
  /** Format the model's Markdown. */
  readonly markdown: boolean
  /** Plain characters, whatever the locale says. */
  readonly isAscii: boolean
}

/** How things look at the moment; the object is another one after each change. */
export interface LookSource {
  now(): Look
  setDark(isDark: boolean): void
  /** What the user's settings say; at once. */
  set(shown: Shown): void
  /** Loads what answers need: not before the first frame, which shows none. */
  load(): Promise<void>
}

/** Reads the environment; loads the highlighter when the first block of code asks for it. */
export function createLook(
  env: Readonly<Record<string, string | undefined>>,
  options: Shown & { readonly onChange: () => void },
): LookSource {
  let read = readLook(env)
  let shown: Shown = options
  let markdown: MarkdownPieces | undefined
  let highlight: Highlight | undefined
  let isLoading = false
  const load = async () => {
    isLoading = true
    highlight = await loadHighlight().catch(() => undefined)
    changed()
  }
  const make = (): Look => ({
    theme: createTheme(shown.isAscii ? { ...read, isUnicode: false } : read),
    markdown: shown.markdown ? markdown : undefined,
    highlight,
    wantHighlight() {
      if (!isLoading) void load()
    },
  })
  let look = make()
  const changed = () => {
    look = make()
    options.onChange()
  }
  return {
    now: () => look,
    async load() {
      markdown = (await import('../transcript/markdown.ts')).markdownPieces
      changed()
    },
    setDark(isDark) {
      if (isDark === read.isDark) return
      read = { ...read, isDark }
      changed()
    },
    set(next) {
      if (next.markdown === shown.markdown && next.isAscii === shown.isAscii) return
      shown = next
      changed()
    },
  }
}
