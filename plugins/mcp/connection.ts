import type { Dispose, McpServer, OfferedTool, ToolCall, ToolResult } from 'amber-agent/sdk'
import { failureText, messageOf } from './failure-text.ts'
import type { Inventory } from './inventory.ts'
import type { Knowledge, Known } from './known.ts'
import { createNoise, type Noise } from './noise.ts'
import { offeredTools } from './offered-tools.ts'
import type { Asking, Session, SessionWatch } from './session.ts'
import type { ServerNames } from './tool-names.ts'

/** How a connection stands. `waiting` tries again by itself. */
export type ConnectionState = 'disabled' | 'connecting' | 'connected' | 'waiting' | 'disconnected'

/** What connections are made with. */
export interface ConnectionDeps {
  readonly known: Known
  open(server: McpServer, watch: SessionWatch, asking: Asking): Promise<Session>
  offerTools(group: string, tools: readonly OfferedTool[]): Dispose
  log(line: string): void
  /** How long a server may take to come up, and the waits between attempts, in milliseconds; the last one stays. */
  readonly connectMs: number
  readonly retryMs: readonly [number, ...number[]]
}

/** A server that stayed up for so long is tried again at once when it is lost. Milliseconds. */
const STEADY_MS = 60_000

/** A shorter value is no secret, and stands in other words by chance. */
const SHORTEST_SECRET = 6

/** One server, and what is between it and amber. */
export class Connection {
  readonly server: McpServer
  readonly names: ServerNames
  readonly noise: Noise
  readonly #deps: ConnectionDeps
  #state: ConnectionState
  #error: string | undefined
  #session: Session | undefined
  #inventory: Inventory | undefined
  #knowledge: Knowledge | undefined
  #connecting: Promise<void> | undefined
  #attempt = new AbortController()
  #retry: NodeJS.Timeout | undefined
  #failures = 0
  #upSince = 0

  /** Makes it, closed. */
  constructor(server: McpServer, names: ServerNames, deps: ConnectionDeps) {
    this.server = server
    this.names = names
    this.noise = createNoise(deps.log, this.#masked)
    this.#deps = deps
    this.#state = server.disabled ? 'disabled' : 'disconnected'
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** What went wrong last; undefined while nothing is. */
  get error(): string | undefined {
    return this.#error
  }

  /** What the server has, as far as it is known. */
  get inventory(): Inventory | undefined {
    return this.#inventory
  }

  /** What the server calls itself. */
  get title(): string | undefined {
    return this.#session?.title
  }

  /** Whether it comes up, and nobody knows yet with what. */
  get isUnknown(): boolean {
    return this.#state === 'connecting' && this.#knowledge === undefined
  }

  /** Offers what is known of it, and begins to connect. Waits for no server. */
  async begin(): Promise<void> {
    if (this.server.disabled) return
    if (this.server.problem !== undefined) return this.#refuse(this.server.problem)
    this.#knowledge = await this.#deps.known.recall(this.server)
    if (this.#knowledge?.kind === 'inventory') this.#offer(this.#knowledge.inventory)
    void this.connect()
  }

  /** Connects now, or goes on connecting; resolves when that ended, either way. */
  async connect(): Promise<void> {
    if (this.server.problem !== undefined) return this.#refuse(this.server.problem)
    return this.#connect()
  }

  #connect(): Promise<void> {
    if (this.#connecting) return this.#connecting
    if (this.#session) return Promise.resolve()
    if (this.#attempt.signal.aborted) this.#attempt = new AbortController()
    const connecting = this.#tryOnce().finally(() => {
      if (this.#connecting === connecting) this.#connecting = undefined
    })
    this.#connecting = connecting
    return connecting
  }

  /** Asks for its tools again; connects where it is not. Rejects when the server does not tell. */
  async refresh(): Promise<void> {
    if (this.#session) await this.#list(this.#session)
    else await this.connect()
  }

  /** Ends the connection, and tries no more. */
  async disconnect(): Promise<void> {
    this.#attempt.abort()
    clearTimeout(this.#retry)
    const open = this.#session
    this.#session = undefined
    this.#state = 'disconnected'
    this.#error = undefined
    this.#withdraw()
    await Promise.all([open?.close(), this.#connecting])
  }

  /** As it is written it cannot be reached, however often it is tried. */
  #refuse(problem: string): void {
    this.#error = problem
    this.#log(problem)
  }

  async #tryOnce(): Promise<void> {
    const { signal } = this.#attempt
    const { connectMs } = this.#deps
    this.#state = 'connecting'
    clearTimeout(this.#retry)
    let opened: Session | undefined
    let ended: string | undefined
    const isOpen = () => opened !== undefined && opened === this.#session
    const changed = new Changes(async () => {
      if (opened && isOpen()) await this.#list(opened)
    })
    const watch: SessionWatch = {
      changed: () => changed.note((thrown) => this.#log(messageOf(thrown))),
      ended: (why) => {
        ended = why
        if (isOpen()) this.#fail(why)
      },
      noise: this.noise.add,
    }
    try {
      opened = await this.#deps.open(this.server, watch, { signal, timeoutMs: connectMs })
      if (signal.aborted) throw new Error('it was disconnected')
      this.#session = opened
      await this.#list(opened)
      if (!isOpen()) return
      this.#state = 'connected'
      this.#error = undefined
      this.#upSince = performance.now()
    } catch (thrown) {
      if (opened && !isOpen()) await opened.close()
      if (!signal.aborted && this.#state === 'connecting') this.#fail(ended ?? failureText(thrown, connectMs))
    }
  }

  /** Not reached, or lost: its tools are gone from the next request on, and it is tried again later. */
  #fail(why: string): void {
    const lost = this.#session
    this.#session = undefined
    // An attempt that is lost at its very end is over: the next one need not wait for it.
    this.#connecting = undefined
    this.#error = this.#masked(why)
    this.#state = 'waiting'
    this.#withdraw()
    this.#log(this.#error)
    if (lost) void lost.close()
    else void this.#deps.known.remember(this.server, { kind: 'unreachable' })
    if (lost && performance.now() - this.#upSince > STEADY_MS) this.#failures = 0
    const { retryMs } = this.#deps
    const wait = retryMs[this.#failures] ?? retryMs.at(-1)
    this.#failures += 1
    this.#retry = setTimeout(() => void this.connect(), wait)
    this.#retry.unref?.()
  }

  async #list(from: Session): Promise<void> {
    const found = await from.inventory({ signal: this.#attempt.signal, timeoutMs: this.#deps.connectMs })
    if (this.#session !== from) return
    this.#offer(found)
    await this.#deps.known.remember(this.server, { kind: 'inventory', inventory: found })
  }

  #offer(found: Inventory): void {
    this.#inventory = found
    const owner = { server: this.server.name, names: this.names, ask: this.#ask }
    this.#deps.offerTools(this.names.group, offeredTools(owner, found))
  }

  #withdraw(): void {
    this.#inventory = undefined
    this.#deps.offerTools(this.names.group, [])
  }

  readonly #ask = async (
    call: ToolCall,
    use: (session: Session, asking: Asking) => Promise<ToolResult>,
  ): Promise<ToolResult> => {
    const { name, timeoutMs } = this.server
    if (!this.#session && this.#connecting) await settled(this.#connecting, call.signal)
    const session = this.#session
    if (!session)
      return { ok: false, error: `The MCP server ${name} is not connected: ${this.#error ?? this.#state}.` }
    try {
      const progress = (text: string) => call.progress(text)
      return await use(session, { signal: call.signal, timeoutMs, progress })
    } catch (thrown) {
      const why = failureText(thrown, timeoutMs)
      if (!call.signal.aborted && session === this.#session && session.isLost(thrown)) this.#fail(why)
      return { ok: false, error: `The MCP server ${name} failed: ${this.#masked(why)}` }
    }
  }

  /** Without the values of the variables that mcp.json names. */
  readonly #masked = (text: string): string => {
    let masked = text
    for (const [name, value] of Object.entries(this.server.variables))
      if (value.length >= SHORTEST_SECRET) masked = masked.replaceAll(value, `\${${name}}`)
    return masked
  }

  #log(text: string): void {
    this.#deps.log(`server ${this.server.name}: ${text}`)
  }
}

/** Runs something after a change, once at a time; a change meanwhile is looked at after it. */
class Changes {
  readonly #look: () => Promise<void>
  #running = false
  #again = false

  constructor(look: () => Promise<void>) {
    this.#look = look
  }

  note(onFault: (thrown: unknown) => void): void {
    this.#again = true
    if (!this.#running) void this.#run().catch(onFault)
  }

  async #run(): Promise<void> {
    this.#running = true
    try {
      while (this.#again) {
        this.#again = false
        await this.#look()
      }
    } finally {
      this.#running = false
    }
  }
}

/** Waits for an attempt, or for the call to be cancelled. */
function settled(connecting: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    void connecting.then(resolve, () => resolve())
  })
}
