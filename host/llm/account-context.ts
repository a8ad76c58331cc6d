import { type AccountContext, parseJson } from '../../sdk/index.ts'
import type { Transport } from './transport.ts'
import { isLoopback } from './url.ts'

/** Whose account is asked for, where and as whom. */
export interface AccountEndpoint {
  readonly provider: string
  readonly apiBase: string
  /** Empty when there is none: then nothing is asked. */
  readonly apiKey: string
}

/** A context that remembers whether each of its requests was answered. */
export interface WatchedContext extends AccountContext {
  /** A request got no answer that can be read: what the plugin makes of it says nothing about the account. */
  failed(): boolean
}

const GET_MS = 20_000
const MAX_BYTES = 1024 * 1024

/**
 * What a wallet's or an allowance's fetch gets (WAL-1): one GET with the key through amber's own transport, 20 s, no
 * retry. The key goes over https or to this machine only, never along a redirect, and, when the user set another API
 * base than the preset's, to that place alone (PRO-13).
 */
export function createAccountContext(
  endpoint: AccountEndpoint,
  options: { readonly transport: Transport; readonly signal: AbortSignal; readonly presetBase?: string },
): WatchedContext {
  let failed = false
  return {
    apiKey: endpoint.apiKey,
    apiBase: endpoint.apiBase,
    signal: options.signal,
    failed: () => failed,
    async get(url) {
      const answer = mayHaveKey(url, endpoint, options.presetBase)
        ? await getJson(url, endpoint.apiKey, options)
        : undefined
      if (answer === undefined) failed = true
      return answer
    },
  }
}

function mayHaveKey(
  url: string,
  { apiBase, apiKey }: AccountEndpoint,
  presetBase: string | undefined,
): boolean {
  if (apiKey.trim() === '' || !URL.canParse(url)) return false
  const { protocol, origin } = new URL(url)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(url))) return false
  const own = originOr(apiBase)
  return presetBase === undefined || own === originOr(presetBase) || own === origin
}

function originOr(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined
}

async function getJson(
  url: string,
  apiKey: string,
  { transport, signal }: { readonly transport: Transport; readonly signal: AbortSignal },
): Promise<unknown> {
  const headers = { accept: 'application/json', authorization: `Bearer ${apiKey.trim()}` }
  const answer = await transport.send({ method: 'GET', url, headers, signal, totalMs: GET_MS })
  if (answer.kind === 'failed') return undefined
  const { response } = answer
  if (response.status < 200 || response.status > 299) {
    response.discard()
    return undefined
  }
  const body = await response.text(MAX_BYTES)
  return body.kind === 'text' ? parseJson(body.text) : undefined
}
