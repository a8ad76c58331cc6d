import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createMcpPart, type McpPart } from '../../host/app/mcp-part.ts'
import { childEnvironment } from '../../host/workspace/process/environment.ts'
import { atEnd } from './at-end.ts'
import { type TestHost, testHost } from './host.ts'
import { temporaryFolder } from './temporary-folder.ts'

const SERVER = fileURLToPath(new URL('mcp-server.mjs', import.meta.url))
const PLUGIN = fileURLToPath(new URL('../../plugins/mcp', import.meta.url))

/** A server of mcp.json that starts the tests' own server with these flags. */
export function testServer(flags: readonly string[] = [], more: Readonly<Record<string, unknown>> = {}) {
  return { command: process.execPath, args: [SERVER, ...flags], ...more }
}

/** A host with the mcp plugin and an mcp.json. */
export interface McpFixture {
  readonly host: TestHost
  readonly home: string
  readonly part: McpPart
  tools(): readonly string[]
  /** Waits for a commit after which this holds; it may hold already. */
  until(holds: () => boolean): Promise<void>
  /** Runs one of the commands `/mcp …` of the connections. */
  mcp(command: 'list' | 'show' | 'connect' | 'disconnect' | 'refresh', server?: string): Promise<string>
  write(servers: Readonly<Record<string, unknown>>): void
  /** What the servers wrote to the file that MARK names. */
  marks(): readonly string[]
}

/** Starts it; servers are not waited for. */
export async function startMcp(
  t: TestContext,
  servers: Readonly<Record<string, unknown>>,
  options: {
    readonly home?: string
    readonly env?: Readonly<Record<string, string>>
    /** Where built plugins are kept, for several tests. */
    readonly builds?: string
  } = {},
): Promise<McpFixture> {
  const home = options.home ?? temporaryFolder(t)
  const write = (all: Readonly<Record<string, unknown>>) => {
    mkdirSync(join(home, 'config'), { recursive: true })
    writeFileSync(join(home, 'config', 'mcp.json'), JSON.stringify({ mcpServers: all }))
  }
  write(servers)
  if (options.builds !== undefined && !existsSync(join(home, 'cache'))) {
    mkdirSync(join(home, 'cache'))
    symlinkSync(options.builds, join(home, 'cache', 'builds'))
  }
  const environment = { PATH: process.env.PATH, MARK: join(home, 'marks'), ...options.env }
  const part = createMcpPart({
    config: join(home, 'config'),
    environment: async () => childEnvironment(environment, ['SECRET_OF_ACME']),
    variables: environment,
  })
  const host = testHost(t, { home, services: { mcp: part.service } })
  atEnd(t, () => part.close())
  await host.plugins.start({ parents: [], given: [PLUGIN] }, { activate: true })
  return {
    host,
    home,
    part,
    write,
    tools: () => [...host.ledger.snapshot().tools.keys()],
    until: (holds) =>
      new Promise((resolve) => {
        if (holds()) resolve()
        const stop = host.ledger.onCommit(() => {
          if (!holds()) return
          stop()
          resolve()
        })
      }),
    mcp(command, server = '') {
      const connections = part.connections()
      if (!connections) throw new Error('nothing answers')
      const { signal } = new AbortController()
      if (command === 'list') return connections.list()
      if (command === 'refresh') return connections.refresh(server || undefined, signal)
      return connections[command](server, signal)
    },
    marks() {
      try {
        return readFileSync(join(home, 'marks'), 'utf8').trim().split('\n')
      } catch {
        return []
      }
    },
  }
}
