import type { McpConnections, McpServer, McpService } from 'amber-agent/sdk'
import { type Connection, type ConnectionDeps, createConnection } from './connection.ts'
import { serverLine, serverPage } from './describe.ts'
import { type ServerNames, serverNames } from './tool-names.ts'

/** All servers of mcp.json. */
export interface ServerConnections extends McpConnections {
  /** Reads the file and begins to connect; resolves before any server answered. */
  begin(): Promise<void>
  /** Waits for servers that nothing is known of yet, but not longer than this. */
  grace(ms: number): Promise<void>
  close(): Promise<void>
}

/** Makes them, with no server yet. */
export function createConnections(
  service: Pick<McpService, 'servers'>,
  deps: ConnectionDeps,
): ServerConnections {
  let connections = new Map<string, { readonly connection: Connection; readonly names: ServerNames }>()
  let problems: readonly string[] = []

  const all = () => [...connections.values()].map(({ connection }) => connection)
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
      const isSame = known?.names.group === names.group && sameServer(known.connection.server, server)
      next.set(server.name, isSame ? known : { names, connection: createConnection(server, names, deps) })
    }
    const gone = [...connections.values()].filter((one) => next.get(one.connection.server.name) !== one)
    const fresh = [...next.values()].filter((one) => connections.get(one.connection.server.name) !== one)
    connections = next
    await Promise.all(gone.map(({ connection }) => connection.end('disconnected')))
    await Promise.all(fresh.map(({ connection }) => connection.begin()))
    await deps.known.keepOnly(found.servers)
  }

  return {
    begin: read,
    states: () =>
      all()
        .filter((one) => one.state() !== 'disabled')
        .map((one) => ({
          name: one.server.name,
          connected: one.state() === 'connected',
          hasError: one.error() !== undefined,
        })),
    async list() {
      const lines = [...all().map(serverLine), ...problems]
      return lines.join('\n') || 'mcp.json names no server.'
    },
    async show(server) {
      const { connection, names } = named(server)
      return serverPage(connection, names)
    },
    async connect(server, signal) {
      const { connection } = named(server)
      await orAborted(connection.connect(), signal)
      return serverLine(connection)
    },
    async disconnect(server) {
      const { connection } = named(server)
      await connection.end('disconnected')
      return serverLine(connection)
    },
    async refresh(server, signal) {
      if (server === undefined) await read()
      const asked = server === undefined ? all() : [named(server).connection]
      const open = asked.filter((one) => one.state() !== 'disabled' && one.state() !== 'disconnected')
      await orAborted(Promise.allSettled(open.map((one) => one.refresh())), signal)
      return [...asked.map(serverLine), ...problems].join('\n') || 'mcp.json names no server.'
    },
    async grace(ms) {
      const unknown = all().filter((one) => one.isUnknown())
      if (unknown.length === 0) return
      await orAborted(Promise.all(unknown.map((one) => one.connect())), AbortSignal.timeout(ms))
      // Who is not there by now is not waited for the next time, unless it comes up later.
      const late = unknown.filter((one) => one.isUnknown())
      await Promise.all(late.map(({ server }) => deps.known.remember(server, { kind: 'unreachable' })))
    },
    async close() {
      await Promise.all(all().map((one) => one.end('disconnected')))
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
