import type { Look } from '../transcript/block.ts'
import { type Highlight, loadHighlight } from '../transcript/highlight.ts'
import { createTheme, readLook } from './theme.ts'

/** How things look at the moment; the object is another one after each change. */
export interface LookSource {
  now(): Look
  setDark(isDark: boolean): void
  setMarkdown(markdown: boolean): void
}

/** Reads the environment; loads the highlighter when the first block of code asks for it. */
export function createLook(
  env: Readonly<Record<string, string | undefined>>,
  options: { readonly markdown: boolean; readonly isAscii: boolean; readonly onChange: () => void },
): LookSource {
  let read = readLook(env)
  if (options.isAscii) read = { ...read, isUnicode: false }
  let { markdown } = options
  let highlight: Highlight | undefined
  let isLoading = false
  const load = async () => {
    isLoading = true
    highlight = await loadHighlight().catch(() => undefined)
    changed()
  }
  const make = (): Look => ({
    theme: createTheme(read),
    markdown,
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
    setDark(isDark) {
      if (isDark === read.isDark) return
      read = { ...read, isDark }
      changed()
    },
    setMarkdown(on) {
      markdown = on
      changed()
    },
  }
}
