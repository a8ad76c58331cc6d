import { useEffect, useState } from 'preact/hooks'

/** The tabs, in their order; each stands first in an address. */
export const TABS = ['ledger', 'timeline', 'try', 'prompt', 'screen', 'turn'] as const

/** A tab. */
export type Tab = (typeof TABS)[number]

/** What the address names: `#/try/tool/weather?plugin=weather`. */
export interface Route {
  readonly tab: Tab
  /** What follows the tab. */
  readonly rest: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

/** Reads an address; what it does not know leads to the ledger. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [first, ...rest] = path
    .split('/')
    .filter((one) => one !== '')
    .map(decode)
  const tab = TABS.find((one) => one === first)
  return {
    tab: tab ?? 'ledger',
    rest: tab ? rest : [],
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

/** Writes an address. */
export function hrefOf({ tab, rest = [], query = {} }: Partial<Route> & Pick<Route, 'tab'>): string {
  const text = new URLSearchParams(query).toString()
  return `#/${[tab, ...rest].map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`
}

/** The address of the moment. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  useEffect(() => {
    const follow = () => {
      // A new token comes with a new server: everything begins anew.
      if (location.hash.startsWith('#token=')) location.reload()
      else setRoute(parseRoute(location.hash))
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return route
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
