import { useEffect } from 'preact/hooks'

/** A key of the page and what it does, for the list of keys. */
export interface PageKey {
  readonly key: string
  readonly what: string
  run(): void
}

/** Runs the page's keys, but not while somebody writes, or a panel or a dialog has the keyboard. */
export function usePageKeys(keys: readonly PageKey[]): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return
      const at = event.target instanceof Element ? event.target : undefined
      if (at?.closest('input, textarea, select, dialog[open], [role=application]')) {
        if (event.key === 'Escape' && at instanceof HTMLElement && !at.closest('dialog')) at.blur()
        return
      }
      const found = keys.find((one) => one.key === event.key)
      if (!found) return
      event.preventDefault()
      found.run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [keys])
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Enter: 'enter',
  Backspace: 'backspace',
  Delete: 'delete',
  Home: 'home',
  End: 'end',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  ' ': 'space',
}

/** A key as a panel hears it in the terminal (`up`, `ctrl+r`, `r`); undefined for keys that stay with the page. */
export function panelKeyOf(event: KeyboardEvent): string | undefined {
  const { key } = event
  if (key === 'Escape' || key === 'Tab' || event.metaKey) return undefined
  const name = NAMES[key] ?? (key.length === 1 ? key : undefined)
  if (name === undefined) return undefined
  const shift = event.shiftKey && name.length > 1 ? 'shift+' : ''
  return `${event.ctrlKey ? 'ctrl+' : ''}${event.altKey ? 'alt+' : ''}${shift}${name}`
}
