/** Adds a path to an address, before its query, with one slash between; an address that ends in the path keeps it. */
export function joinUrl(base: string, path: string): string {
  const at = base.search(/[?#]/)
  const address = (at === -1 ? base : base.slice(0, at)).trim().replace(/\/+$/, '')
  const rest = at === -1 ? '' : base.slice(at).trim()
  if (address === '') return ''
  return `${address.endsWith(`/${path}`) ? address : `${address}/${path}`}${rest}`
}

/** Whether an address leads to this very machine. False for what is no address. */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(\.\d+){3}$/.test(host)
}

/** Scheme, host and port, for messages: no path, no query, no user. The text itself when it is no address. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}
