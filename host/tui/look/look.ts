import { type Highlight, loadHighlight } from '../transcript/highlight.ts'
import type { Look, MarkdownPieces } from '../transcript/look.ts'
import { createTheme, readLook } from './theme.ts'

/** How things look at the moment; the object is another one after each change. */
export interface LookSource {
  now(): Look
  setDark(isDark: boolean): void
  setMarkdown(markdown: boolean): void
  /** Loads what answers need: not before the first frame, which shows none. */
  load(): Promise<void>
}

/** Reads the environment; loads the highlighter when the first block of code asks for it. */
export function createLook(
  env: Readonly<Record<string, string | undefined>>,
  options: { readonly markdown: boolean; readonly isAscii: boolean; readonly onChange: () => void },
): LookSource {
  let read = readLook(env)
  if (options.isAscii) read = { ...read, isUnicode: false }
  let isFormatted = options.markdown
  let markdown: MarkdownPieces | undefined
  let highlight: Highlight | undefined
  let isLoading = false
  const load = async () => {
    isLoading = true
    highlight = await loadHighlight().catch(() => undefined)
    changed()
  }
  const make = (): Look => ({
    theme: createTheme(read),
    markdown: isFormatted ? markdown : undefined,
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
    setMarkdown(on) {
      isFormatted = on
      changed()
    },
  }
}
