import type { McpConnections, McpServer, McpService } from 'amber-agent/sdk'
import { Connection, type ConnectionDeps } from './connection.ts'
import { serverLine, serverPage } from './describe.ts'
import { serverNames } from './tool-names.ts'

/** All servers of mcp.json. */
export interface ServerConnections extends McpConnections {
  /** Reads the file and begins to connect; resolves before any server answered. */
  begin(): Promise<void>
  /** Waits for servers that nothing is known of yet, but not longer than this. */
  grace(ms: number): Promise<void>
  close(): Promise<void>
}

/** A list waits this long for servers that are coming up. Milliseconds. */
const PATIENCE_MS = 1_000

/** Makes them, with no server yet. */
export function createConnections(
  service: Pick<McpService, 'servers'>,
  deps: ConnectionDeps,
): ServerConnections {
  let connections = new Map<string, Connection>()
  let problems: readonly string[] = []

  const all = () => [...connections.values()]
  const named = (name: string) => {
    const found = connections.get(name)
    if (found) return found
    const names = [...connections.keys()].join(', ')
    throw new Error(
      `There is no MCP server ${name}. ${names ? `There are: ${names}` : 'mcp.json names none.'}`,
    )
  }

  /** Servers that are as they were stay connected; the others come and go. */
  const read = async () => {
    const found = await service.servers()
    problems = found.problems
    for (const problem of problems) deps.log(problem)
    const all = found.servers.map(({ name }) => name)
    const next: typeof connections = new Map()
    for (const server of found.servers) {
      const names = serverNames(server.name, all)
      const known = connections.get(server.name)
      const isSame = known?.names.group === names.group && sameServer(known.server, server)
      next.set(server.name, isSame ? known : new Connection(server, names, deps))
    }
    const gone = [...connections.values()].filter((one) => next.get(one.server.name) !== one)
    const fresh = [...next.values()].filter((one) => connections.get(one.server.name) !== one)
    connections = next
    await Promise.all(gone.map((one) => one.disconnect()))
    await Promise.all(fresh.map((one) => one.begin()))
    await deps.known.keepOnly(found.servers)
  }

  return {
    begin: read,
    states: () =>
      all()
        .filter((one) => one.state !== 'disabled')
        .map((one) => ({
          name: one.server.name,
          connected: one.state === 'connected',
          hasError: one.error !== undefined,
        })),
    async list() {
      const coming = all().filter((one) => one.state === 'connecting')
      if (coming.length > 0)
        await orAborted(Promise.all(coming.map((one) => one.connect())), AbortSignal.timeout(PATIENCE_MS))
      const lines = [...all().map(serverLine), ...problems]
      return lines.join('\n') || 'mcp.json names no server.'
    },
    async show(server) {
      return serverPage(named(server))
    },
    async connect(server, signal) {
      const connection = named(server)
      await orAborted(connection.connect(), signal)
      return serverLine(connection)
    },
    async disconnect(server) {
      const connection = named(server)
      await connection.disconnect()
      return serverLine(connection)
    },
    async refresh(server, signal) {
      if (server === undefined) await read()
      const asked = server === undefined ? all() : [named(server)]
      const open = asked.filter((one) => one.state !== 'disabled' && one.state !== 'disconnected')
      await orAborted(Promise.allSettled(open.map((one) => one.refresh())), signal)
      return [...asked.map(serverLine), ...problems].join('\n') || 'mcp.json names no server.'
    },
    async grace(ms) {
      const unknown = all().filter((one) => one.isUnknown)
      if (unknown.length === 0) return
      await orAborted(Promise.all(unknown.map((one) => one.connect())), AbortSignal.timeout(ms))
      // Who is not there by now is not waited for the next time, unless it comes up later.
      const late = unknown.filter((one) => one.isUnknown)
      await Promise.all(late.map(({ server }) => deps.known.remember(server, { kind: 'unreachable' })))
    },
    async close() {
      await Promise.all(all().map((one) => one.disconnect()))
    },
  }
}

function sameServer(a: McpServer, b: McpServer): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Waits for work, or until it is not waited for any more. */
function orAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
    work.then(() => resolve(), reject)
  })
}
