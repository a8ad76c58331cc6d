import { fuzzyFilter } from '@earendil-works/pi-tui/dist/fuzzy.js'
import { sanitiseLine } from '../../base/sanitise.ts'
import { cut, sides } from '../look/text.ts'
import type { PanelView } from './panel-view.ts'

/** One thing that can be chosen. */
export interface ListItem {
  readonly id: string
  readonly left: string
  readonly right: string
  readonly isCurrent?: boolean
}

/** A panel of things to choose from, found by typing. */
export interface ListPanel {
  readonly id: string
  readonly title: string
  /** What Enter does, for the lower edge. */
  readonly verb: string
  /** What to say while there is nothing. */
  readonly empty: string
  /** Called when the panel opens; may be slow. */
  readonly load: () => Promise<readonly ListItem[]>
  readonly choose: (id: string) => void
  /** Brings it up to date at Ctrl-R, and tells of each part that came; absent where `load` is all there is. */
  readonly refresh?: { readonly verb: string; run(onPart: () => void): Promise<void> }
  readonly onChange: () => void
}

/** Makes one; nothing is loaded before it is opened. */
export function listPanel(deps: ListPanel): PanelView {
  let items: readonly ListItem[] = []
  let isLoading = false
  let word = ''
  let at = 0
  const shown = () => (word === '' ? items : fuzzyFilter([...items], word, ({ id, left }) => `${id} ${left}`))
  const load = async () => {
    isLoading = true
    items = await deps.load().catch(() => [])
    isLoading = false
    deps.onChange()
  }
  let isRefreshing = false
  const refresh = async () => {
    if (deps.refresh === undefined || isRefreshing) return
    isRefreshing = true
    deps.onChange()
    await deps.refresh.run(() => void load()).catch(() => undefined)
    isRefreshing = false
    await load()
  }
  const foot = () => {
    const asks = deps.refresh === undefined ? '' : ` · ctrl+r ${deps.refresh.verb}`
    return isRefreshing ? 'asking' : `type to find · enter ${deps.verb}${asks}`
  }
  return {
    id: deps.id,
    title: () => `${deps.title}${word === '' ? '' : `: ${sanitiseLine(word)}`}`,
    foot,
    opened() {
      word = ''
      at = 0
      void load()
    },
    focusLine: () => at,
    onKey(key) {
      const count = shown().length
      if (key === 'up') at = Math.max(0, at - 1)
      else if (key === 'down') at = Math.min(Math.max(0, count - 1), at + 1)
      else if (key === 'enter') {
        const item = shown()[at]
        if (item !== undefined) deps.choose(item.id)
      } else if (key === 'ctrl+r' && deps.refresh !== undefined) void refresh()
      else if (key === 'backspace') word = word.slice(0, -1)
      else if (key === 'ctrl+u') word = ''
      else if (key === 'space') word += ' '
      else if ([...key].length === 1) {
        word += key
        at = 0
      } else return false
      return true
    },
    lines(width, theme) {
      const found = shown()
      if (found.length === 0)
        return [theme.paint('dim', isLoading ? 'loading' : word === '' ? deps.empty : 'nothing is like that')]
      return found.map((item, index) => {
        const mark = item.isCurrent === true ? theme.paint('accent', theme.glyphs.prompt) : ' '
        const name = sanitiseLine(item.left)
        const line = sides(
          `${mark} ${index === at ? theme.inverse(name) : name}`,
          theme.paint('dim', sanitiseLine(item.right)),
          width,
        )
        return cut(line, width)
      })
    },
  }
}
