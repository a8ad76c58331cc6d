import { sanitiseLine, sanitiseText } from '../../base/sanitise.ts'
import { type CompletionItem, completeLine, pageAt } from '../../command/complete.ts'
import type { Draft } from '../input/text-edit.ts'
import { cut, sides, widthOf, wrap } from '../look/text.ts'
import type { Theme } from '../look/theme.ts'
import type { ScreenApp } from '../screen-app.ts'

/** What the drawer under the input shows, or nothing. */
export interface Drawer {
  /** Whether it is open for this draft. Read anew each time: a swapped plugin's commands are in it at once (CMD-6). */
  isOpen(draft: Draft): boolean
  lines(draft: Draft, shape: DrawerShape): readonly string[]
  /** What the chosen item would add after the cursor, shown dim. */
  ghost(draft: Draft): string
  /** Handles a key; undefined: not its key. Otherwise the draft as it is now. */
  key(key: string, draft: Draft): Draft | undefined
  /** `?` after a blank opens the page of the path so far; false: it is a letter. */
  question(draft: Draft): boolean
  /** The draft was changed by hand: a page closes, the choice begins anew. */
  edited(): void
  /** Whether an item was chosen with the arrows. */
  isChosen(): boolean
}

/** How much room it has. */
export interface DrawerShape {
  readonly width: number
  readonly height: number
  readonly theme: Theme
}

interface Offer {
  readonly from: number
  readonly items: readonly CompletionItem[]
  readonly expected: string
}

/** Makes a closed one. */
export function createDrawer(app: Pick<ScreenApp, 'commandTree' | 'choices' | 'plugins'>): Drawer {
  let chosen = -1
  let dismissed: string | undefined
  let page: readonly string[] | undefined
  let pageTop = 0

  const offer = ({ text, cursor }: Draft): Offer | undefined => {
    const line = text.slice(0, cursor)
    if (!text.startsWith('/') || text.includes('\n') || dismissed === text) return undefined
    const { items, start, expected } = completeLine(app.commandTree(), line, app.choices)
    return { from: start, items, expected }
  }
  const pick = (items: readonly CompletionItem[]) => items[Math.max(0, Math.min(chosen, items.length - 1))]
  const complete = (draft: Draft, { from, items }: Offer): Draft | undefined => {
    const item = pick(items)
    if (item === undefined) return draft
    const word = draft.text.slice(from, draft.cursor)
    const common = commonStart(items.map(({ text }) => text))
    // Tab goes as far as is certain, then takes what is chosen.
    const isWhole = items.length === 1 || chosen >= 0 || common.length <= word.length
    const put = isWhole ? `${item.text} ` : common
    const text = draft.text.slice(0, from) + put + draft.text.slice(draft.cursor).trimStart()
    chosen = -1
    return { text, cursor: from + put.length }
  }

  return {
    isOpen: (draft) => page !== undefined || offer(draft) !== undefined,
    isChosen: () => chosen >= 0,
    edited() {
      chosen = -1
      page = undefined
      dismissed = undefined
    },
    question(draft) {
      const line = draft.text.slice(0, draft.cursor)
      if (!line.startsWith('/') || !/(\s|^\/)$/.test(line)) return false
      const text = pageAt(app.commandTree(), line)
      if (text === undefined) return false
      page = sanitiseText(text).split('\n')
      pageTop = 0
      return true
    },
    ghost(draft) {
      if (page !== undefined || draft.cursor !== draft.text.length) return ''
      const found = offer(draft)
      const item = found === undefined ? undefined : pick(found.items)
      if (found === undefined || item === undefined) return ''
      const typed = draft.text.slice(found.from)
      if (!item.text.startsWith(typed)) return ''
      // An empty word is no beginning of anything: the first name would only be in the way.
      return typed === '' && chosen < 0 ? '' : item.text.slice(typed.length)
    },
    key(key, draft) {
      if (key === 'escape') {
        if (page === undefined) dismissed = draft.text
        page = undefined
        return draft
      }
      if (page !== undefined) {
        if (key === 'up' || key === 'pageUp') pageTop = Math.max(0, pageTop - (key === 'up' ? 1 : 8))
        else if (key === 'down' || key === 'pageDown') pageTop += key === 'down' ? 1 : 8
        else return undefined
        return draft
      }
      const found = offer(draft)
      if (found === undefined || found.items.length === 0) return undefined
      const { length } = found.items
      if (key === 'up') chosen = chosen <= 0 ? length - 1 : chosen - 1
      else if (key === 'down') chosen = (chosen + 1) % length
      else if (key === 'tab') return complete(draft, found)
      else if (key === 'enter' && chosen >= 0) return complete(draft, found)
      else if (key === 'right' && draft.cursor === draft.text.length)
        return complete(draft, { ...found, items: found.items.slice(0, 1) })
      else return undefined
      return draft
    },
    lines(draft, shape) {
      if (page !== undefined) {
        const wrapped = page.flatMap((line) => wrap(line, shape.width - 2))
        pageTop = Math.min(pageTop, Math.max(0, wrapped.length - shape.height + 1))
        const shown = wrapped.slice(pageTop, pageTop + shape.height - 1).map((line) => `  ${line}`)
        return [
          ...shown,
          hint(shape, wrapped.length > shape.height ? 'arrows scroll · esc closes' : 'esc closes'),
        ]
      }
      const found = offer(draft)
      if (found === undefined) return []
      if (found.items.length > 0) return itemLines(found.items, chosen, shape, app)
      return found.expected === '' ? [] : [hint(shape, `${found.expected} · ? the manual page`)]
    },
  }
}

function itemLines(
  items: readonly CompletionItem[],
  chosen: number,
  { width, height, theme }: DrawerShape,
  app: Pick<ScreenApp, 'plugins'>,
): readonly string[] {
  if (items.length === 0) return []
  const room = Math.max(1, height - 1)
  const current = Math.max(0, Math.min(chosen, items.length - 1))
  const from = Math.min(Math.max(0, current - room + 1), Math.max(0, items.length - room))
  const shown = items.slice(from, from + room)
  const column = Math.min(24, Math.max(...shown.map(({ text }) => widthOf(text))))
  const rows = shown.map((item, at) => {
    const isCurrent = chosen >= 0 && from + at === current
    const name = sanitiseLine(item.text).padEnd(column)
    const left = `  ${isCurrent ? theme.inverse(name) : theme.paint('accent', name)}  ${sanitiseLine(item.help)}`
    const info = item.plugin === undefined ? undefined : app.plugins.info(item.plugin)
    const right =
      info === undefined
        ? ''
        : theme.paint('dim', `${info.id} ${info.version} ${theme.glyphs.dot} gen ${info.generation}`)
    return sides(left, right, width)
  })
  const left = items.length - shown.length
  const more = left > 0 ? `${left} more · ` : ''
  return [
    ...rows,
    hint({ width, height, theme }, `${more}tab completes · arrows choose · ? the manual page · esc closes`),
  ]
}

function hint({ width, theme }: DrawerShape, text: string): string {
  const shown = text.replaceAll('·', theme.glyphs.dot)
  return theme.paint('dim', cut(`  ${shown}`, width, ''))
}

function commonStart(texts: readonly string[]): string {
  const [first = '', ...rest] = texts
  let end = first.length
  for (const text of rest) {
    let at = 0
    while (at < end && text[at] === first[at]) at += 1
    end = at
  }
  return first.slice(0, end)
}
