import { setFlagsFromString } from 'node:v8'
import type { Pool as ConnectionPool, Dispatcher } from 'undici'
import { systemCode } from '../base/errors.ts'
import { isLoopback } from './url.ts'

/** undici's `request`, with the connection pool that an address needs. */
export interface HttpAgent {
  request(url: string, options: RequestOptions): Promise<Dispatcher.ResponseData>
  /** Ends every connection at once, whatever is still open. */
  destroy(): Promise<void>
}

/** What a request is made of. */
export interface RequestOptions {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** How the pool connects. */
export interface AgentSettings {
  readonly connectMs: number
  /** For HTTPS_PROXY, HTTP_PROXY and NO_PROXY (interfaces 2). */
  readonly env: Readonly<Record<string, string | undefined>>
}

const KEEP_ALIVE_MS = 30_000

/** Loads undici, which takes longer than all the rest of a start, and makes a pool. */
export async function createHttpAgent({ connectMs, env }: AgentSettings): Promise<HttpAgent> {
  limitWasmTierUp()
  const { Agent, EnvHttpProxyAgent, Pool, request } = await import('./undici.ts')
  const settings = {
    connect: { timeout: connectMs },
    // The deadlines are amber's own (bundled-plugins 5): undici's would count keep-alives as progress.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
  const direct = new Agent(settings)
  const proxies = readProxies(env)
  const proxied =
    proxies === undefined
      ? direct
      : new EnvHttpProxyAgent({
          ...settings,
          ...proxies,
          proxyTunnel: false,
          clientFactory: (origin, options) => failingAtOnce(new Pool(origin, options)),
        })
  return {
    // A server on this machine is never behind a proxy.
    request: (url, options) => request(url, { ...options, dispatcher: isLoopback(url) ? direct : proxied }),
    async destroy() {
      await Promise.all([direct.destroy(), ...(proxied === direct ? [] : [proxied.destroy()])])
    },
  }
}

/**
 * A proxy that closes the connection instead of answering makes undici connect again for ever: it takes the code
 * UND_ERR_SOCKET for a connection that was idle too long. Under another code the request fails.
 */
function failingAtOnce(pool: ConnectionPool): ConnectionPool {
  const connect = pool.connect.bind(pool)
  Object.defineProperty(pool, 'connect', {
    value: async (options: Dispatcher.ConnectOptions) => {
      try {
        return await connect(options)
      } catch (thrown) {
        const refused = systemCode(thrown) === 'UND_ERR_SOCKET'
        throw refused
          ? Object.assign(new Error('the proxy closed the connection'), { code: 'ERR_PROXY_CLOSED' })
          : thrown
      }
    },
  })
  return pool
}

/**
 * Node 20 compiles undici's WebAssembly parser twice, the second time in the background, which holds the process back
 * for 70 to 100 ms at its end (architecture 4).
 */
function limitWasmTierUp(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--liftoff-only')
}

function readProxies(
  env: Readonly<Record<string, string | undefined>>,
): { httpProxy?: string; httpsProxy?: string; noProxy?: string } | undefined {
  const httpsProxy = env.HTTPS_PROXY || env.https_proxy
  const httpProxy = env.HTTP_PROXY || env.http_proxy
  if (!httpsProxy && !httpProxy) return undefined
  const noProxy = env.NO_PROXY || env.no_proxy
  return {
    // Empty, not absent: undici would read the process's own environment.
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy: noProxy ?? '',
  }
}
