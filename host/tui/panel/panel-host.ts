import { box } from '../dialog/box.ts'
import { widthOf } from '../look/text.ts'
import type { Theme } from '../look/theme.ts'
import type { PanelView } from './panel-view.ts'

/** Shows one panel at a time; frame, scrolling and keys are its business (PAN-1). */
export interface PanelHost {
  isOpen(): boolean
  /** Of every panel, in order. */
  ids(): readonly string[]
  /** False: there is no such panel. */
  open(id?: string): boolean
  close(): void
  key(key: string): void
  scroll(lines: number): void
  rows(shape: { readonly width: number; readonly height: number; readonly theme: Theme }): readonly string[]
}

/** The first text that has room, else the last. */
function fitting(texts: readonly string[], { room }: { readonly room: number }): string {
  return texts.find((text) => widthOf(text) <= room) ?? texts.at(-1) ?? ''
}

/** Makes a closed one. `panels` is read at each moment: a swapped plugin's panel is the new one at once. */
export function createPanelHost(panels: () => readonly PanelView[]): PanelHost {
  const tops = new Map<string, number>()
  let id: string | undefined
  let height = 20
  let count = 0
  let focused: number | undefined

  const view = () => panels().find((one) => one.id === id)
  const open = (wanted?: string) => {
    const all = panels()
    const found = wanted === undefined ? all[0] : all.find((one) => one.id === wanted)
    if (found === undefined) return false
    id = found.id
    found.opened?.()
    return true
  }
  const cycle = (by: number) => {
    const all = panels()
    const at = all.findIndex((one) => one.id === id)
    open(all[(at + by + all.length) % Math.max(1, all.length)]?.id)
  }
  const scroll = (lines: number) => {
    if (id === undefined) return
    const most = Math.max(0, count - height)
    tops.set(id, Math.min(most, Math.max(0, (tops.get(id) ?? 0) + lines)))
  }
  const SCROLLS: Readonly<Record<string, () => number>> = {
    up: () => -1,
    down: () => 1,
    pageUp: () => -Math.max(1, height - 1),
    pageDown: () => Math.max(1, height - 1),
    home: () => -count,
    end: () => count,
  }

  return {
    isOpen: () => id !== undefined && view() !== undefined,
    ids: () => panels().map((one) => one.id),
    open,
    close() {
      id = undefined
    },
    scroll,
    key(key) {
      // Esc and Alt+0 never reach a panel (PAN-2): there is always a way out.
      if (key === 'escape' || key === 'alt+0') {
        id = undefined
        return
      }
      const panel = view()
      if (panel?.onKey?.(key) === true) return
      if (key === 'q') id = undefined
      else if (key === 'tab') cycle(1)
      else if (key === 'shift+tab') cycle(-1)
      else scroll(SCROLLS[key]?.() ?? 0)
    },
    rows({ width, height: rows, theme }) {
      const panel = view()
      if (panel === undefined) return []
      height = Math.max(1, rows - 2)
      const lines = panel.lines(Math.max(1, width - 4), theme)
      count = lines.length
      const focus = panel.focusLine?.()
      let top = Math.min(tops.get(panel.id) ?? 0, Math.max(0, count - height))
      // Only where the focus has moved: whoever scrolls away from it may.
      if (focus !== undefined && focus !== focused) {
        if (focus < top) top = focus
        else if (focus >= top + height) top = focus - height + 1
      }
      focused = focus
      tops.set(panel.id, top)
      const shown = lines.slice(top, top + height)
      const blank = Array.from({ length: height - shown.length }, () => '')
      const title = panel.title()
      const place = count > height ? `${top + 1}-${top + shown.length} of ${count} · ` : ''
      return box([...shown, ...blank], {
        width,
        theme,
        title,
        note: fitting([`${place}tab next panel · esc leaves`, `${place}esc leaves`, 'esc leaves'], {
          room: width - widthOf(title) - 10,
        }),
        ...(panel.foot === undefined ? {} : { foot: panel.foot() }),
      })
    },
  }
}
