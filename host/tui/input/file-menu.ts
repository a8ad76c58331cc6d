import { fuzzyFilter } from '@earendil-works/pi-tui/dist/fuzzy.js'
import { sanitiseLine } from '../../base/sanitise.ts'
import { cut } from '../look/text.ts'
import type { Theme } from '../look/theme.ts'
import type { Draft } from './text-edit.ts'

/** Completes `@` and part of a path to a file of the workspace. */
export interface FileMenu {
  isOpen(draft: Draft): boolean
  edited(draft: Draft): void
  close(): void
  /** Undefined: not its key. */
  key(key: string, draft: Draft): Draft | undefined
  lines(
    draft: Draft,
    shape: { readonly width: number; readonly height: number; readonly theme: Theme },
  ): readonly string[]
}

/** Lists files, relative to the workspace, without what `.gitignore` leaves out; bounded. */
export type ListFiles = () => Promise<readonly string[]>

const AT_WORD = /(?:^|\s)@([^\s@]*)$/
const SHOWN = 8

/** Makes a closed one; nothing is listed before the first `@`. */
export function createFileMenu(list: ListFiles, onChange: () => void): FileMenu {
  let files: readonly string[] | undefined
  let isLoading = false
  let found: { readonly word: string; readonly items: readonly string[] } = { word: '', items: [] }
  let chosen = 0
  let dismissed = ''

  const wordAt = ({ text, cursor }: Draft): string | undefined => {
    if (text.startsWith('/')) return undefined
    const word = AT_WORD.exec(text.slice(Math.max(0, cursor - 300), cursor))?.[1]
    return word === undefined || dismissed === text ? undefined : word
  }
  const search = (word: string) => {
    if (found.word !== word || found.items.length === 0) {
      const items =
        files === undefined
          ? []
          : word === ''
            ? files.slice(0, SHOWN)
            : fuzzyFilter([...files], word, (file) => file)
      found = { word, items: items.slice(0, SHOWN) }
      chosen = 0
    }
    return found.items
  }
  const load = async () => {
    if (isLoading) return
    isLoading = true
    files = await list().catch(() => [])
    isLoading = false
    found = { word: '', items: [] }
    onChange()
  }
  return {
    isOpen: (draft) => wordAt(draft) !== undefined,
    edited(draft) {
      const word = wordAt(draft)
      // The list is made anew at each `@`: files come and go.
      if (word === '' || (word !== undefined && files === undefined)) void load()
      if (draft.text !== dismissed) dismissed = ''
    },
    close() {
      dismissed = ''
    },
    key(key, draft) {
      const word = wordAt(draft)
      if (word === undefined) return undefined
      const items = search(word)
      if (key === 'escape') {
        dismissed = draft.text
        return draft
      }
      if (items.length === 0) return undefined
      if (key === 'up' || key === 'down') {
        chosen = (chosen + (key === 'up' ? items.length - 1 : 1)) % items.length
        return draft
      }
      const item = items[chosen]
      if ((key !== 'tab' && key !== 'enter') || item === undefined) return undefined
      const start = draft.cursor - word.length
      const put = `${/\s/.test(item) ? `"${item}"` : item} `
      const text = draft.text.slice(0, start) + put + draft.text.slice(draft.cursor)
      return { text, cursor: start + put.length }
    },
    lines(draft, { width, theme }) {
      const word = wordAt(draft)
      if (word === undefined) return []
      if (files === undefined) return [theme.paint('dim', '  looking for files')]
      const items = search(word)
      if (items.length === 0) return [theme.paint('dim', '  no file is like that')]
      return items.map((item, at) => {
        const name = cut(sanitiseLine(item), width - 2)
        return `  ${at === chosen ? theme.inverse(name) : name}`
      })
    },
  }
}
