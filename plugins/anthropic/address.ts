import type { DialectConfig } from 'amber-agent/sdk'

/** The version of the API that this dialect speaks (docs.anthropic.com, "Versions"). */
const VERSION = '2023-06-01'
const MOST_MODELS = 1000

/** `{base}/v1/messages`; a base that already ends in `/v1` gets no second one (bundled-plugins 4). */
export function chatUrl({ apiBase }: DialectConfig): string {
  return versioned(apiBase, 'messages', '')
}

/** `{base}/v1/models`, all on one page. */
export function modelsUrl({ apiBase }: DialectConfig): string {
  return versioned(apiBase, 'models', `limit=${MOST_MODELS}`)
}

/** The key, and always the version; no credential header without a key (PRO-13). */
export function authHeaders({ apiKey }: DialectConfig): Readonly<Record<string, string>> {
  const key = apiKey.trim()
  return { 'anthropic-version': VERSION, ...(key === '' ? {} : { 'x-api-key': key }) }
}

function versioned(base: string, path: string, query: string): string {
  const at = base.search(/[?#]/)
  const address = (at === -1 ? base : base.slice(0, at)).trim().replace(/\/+$/, '')
  if (address === '') return ''
  const own = at === -1 ? '' : base.slice(at + 1).trim()
  const queries = [own, query].filter((part) => part !== '').join('&')
  const whole = /\/v1$/.test(address) ? `${address}/${path}` : `${withoutPath(address)}/v1/${path}`
  return queries === '' ? whole : `${whole}?${queries}`
}

/** Some people give the whole address of the endpoint. */
function withoutPath(address: string): string {
  return address.replace(/\/v1\/messages$/, '')
}
