import type { Dispose, McpServer, OfferedTool, ToolCall, ToolResult } from 'amber-agent/sdk'
import type { Inventory } from './inventory.ts'
import type { Knowledge, Known } from './known.ts'
import { createNoise, type Noise } from './noise.ts'
import { offeredTools } from './offered-tools.ts'
import type { Asking, Session, SessionWatch } from './session.ts'
import type { ServerNames } from './tool-names.ts'

/** How a connection stands. `waiting` tries again by itself. */
export type ConnectionState = 'disabled' | 'connecting' | 'connected' | 'waiting' | 'failed' | 'disconnected'

/** What connections are made with. */
export interface ConnectionDeps {
  readonly known: Known
  open(server: McpServer, watch: SessionWatch, asking: Asking): Promise<Session>
  offerTools(group: string, tools: readonly OfferedTool[]): Dispose
  log(line: string): void
  /** How long a server may take to come up, and after which waits it is tried again, in milliseconds. */
  readonly connectMs: number
  readonly retryMs: readonly number[]
}

/** One server, and what is between it and amber. */
export interface Connection {
  readonly server: McpServer
  state(): ConnectionState
  /** What went wrong last; undefined while nothing is. */
  error(): string | undefined
  inventory(): Inventory | undefined
  title(): string | undefined
  readonly noise: Noise
  /** Offers what is known of it, and begins to connect. Waits for no server. */
  begin(): Promise<void>
  /** Connects now, or goes on connecting; resolves when that ended, either way. */
  connect(): Promise<void>
  /** Asks for its tools again. */
  refresh(): Promise<void>
  /** Ends the connection; `state` is what it is then. */
  end(state: 'disconnected' | 'disabled'): Promise<void>
  /** Whether it comes up, and nobody knows yet with what. */
  isUnknown(): boolean
}

/** Makes a connection, closed. */
export function createConnection(server: McpServer, names: ServerNames, deps: ConnectionDeps): Connection {
  const noise = createNoise(deps.log)
  let state: ConnectionState = server.disabled ? 'disabled' : 'disconnected'
  let error: string | undefined
  let session: Session | undefined
  let inventory: Inventory | undefined
  let knowledge: Knowledge | undefined
  let connecting: Promise<void> | undefined
  let attempt = new AbortController()
  let retry: NodeJS.Timeout | undefined
  let failures = 0

  const ask = async (
    call: ToolCall,
    use: (session: Session, asking: Asking) => Promise<ToolResult>,
  ): Promise<ToolResult> => {
    if (!session && connecting) await settled(connecting, call.signal)
    if (!session)
      return { ok: false, error: `The MCP server ${server.name} is not connected: ${error ?? state}.` }
    const asking = {
      signal: call.signal,
      timeoutMs: server.timeoutMs,
      progress: (text: string) => call.progress(text),
    }
    const used = session
    try {
      return await use(used, asking)
    } catch (thrown) {
      if (!call.signal.aborted && used === session && used.isLost(thrown))
        fail(`the connection was lost: ${failureText(thrown, server.timeoutMs)}`)
      return {
        ok: false,
        error: `The MCP server ${server.name} failed: ${failureText(thrown, server.timeoutMs)}`,
      }
    }
  }

  const offer = (found: Inventory) => {
    inventory = found
    deps.offerTools(names.group, offeredTools({ server: server.name, names, ask }, found))
  }
  const withdraw = () => {
    inventory = undefined
    deps.offerTools(names.group, [])
  }

  const list = async (from: Session) => {
    const asking = { signal: attempt.signal, timeoutMs: deps.connectMs }
    const found = await from.inventory(asking)
    if (session !== from) return
    offer(found)
    await deps.known.remember(server, { kind: 'inventory', inventory: found })
  }

  /** Not reached, or lost: its tools are gone from the next request on, and it is tried again later. */
  const fail = (why: string) => {
    const lost = session
    session = undefined
    error = why
    withdraw()
    deps.log(`server ${server.name}: ${why}`)
    if (lost) void lost.close()
    else void deps.known.remember(server, { kind: 'unreachable' })
    const wait = deps.retryMs[Math.min(failures, deps.retryMs.length - 1)]
    failures += 1
    state = wait === undefined || attempt.signal.aborted ? 'failed' : 'waiting'
    if (state === 'waiting') {
      retry = setTimeout(() => void connect(), wait)
      retry.unref?.()
    }
  }

  const attemptOnce = async () => {
    const { signal } = attempt
    state = 'connecting'
    clearTimeout(retry)
    let opened: Session | undefined
    let early: string | undefined
    let isStale = false
    const watch: SessionWatch = {
      changed() {
        isStale = true
        if (opened !== undefined && opened === session) void relist(opened)
      },
      ended(why) {
        early = why
        if (opened !== undefined && opened === session) fail(why)
      },
      noise: noise.add,
    }
    const relist = async (from: Session) => {
      isStale = false
      await list(from).catch((thrown) => deps.log(`server ${server.name}: ${messageOf(thrown)}`))
      if (isStale && from === session) await relist(from)
    }
    try {
      opened = await deps.open(server, watch, { signal, timeoutMs: deps.connectMs })
      if (signal.aborted) throw new Error('it was disconnected')
      session = opened
      await list(opened)
      if (session !== opened) throw new Error(early ?? 'it was disconnected')
      state = 'connected'
      error = undefined
      failures = 0
    } catch (thrown) {
      if (opened && session !== opened) await opened.close()
      if (!signal.aborted && (state === 'connecting' || session === opened))
        fail(early ?? failureText(thrown, deps.connectMs))
    }
  }

  const connect = (): Promise<void> => {
    if (session) return Promise.resolve()
    if (!connecting) {
      if (attempt.signal.aborted) attempt = new AbortController()
      connecting = attemptOnce().finally(() => {
        connecting = undefined
      })
    }
    return connecting
  }

  return {
    server,
    noise,
    state: () => state,
    error: () => error,
    inventory: () => inventory,
    title: () => session?.title,
    isUnknown: () => state === 'connecting' && knowledge === undefined,
    connect,
    async begin() {
      if (server.disabled) return
      knowledge = await deps.known.recall(server)
      if (knowledge?.kind === 'inventory') offer(knowledge.inventory)
      void connect()
    },
    async refresh() {
      if (session) await list(session)
      else await connect()
    },
    async end(next) {
      attempt.abort()
      clearTimeout(retry)
      const open = session
      session = undefined
      state = next
      error = undefined
      withdraw()
      await Promise.all([open?.close(), connecting])
    },
  }
}

/** Waits for an attempt, or for the call to be cancelled. */
function settled(connecting: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    void connecting.then(resolve, () => resolve())
  })
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The SDK's words, without its numbers; a time that ran out names the setting and its unit (M4). */
function failureText(thrown: unknown, timeoutMs: number): string {
  const message = messageOf(thrown).replace(/^MCP error -?\d+: /, '')
  if (/request timed out/i.test(message))
    return `it did not answer within ${timeoutMs} ms ("timeout" in mcp.json, in milliseconds)`
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? ` (${thrown.cause.message})` : ''
  return message + cause
}
