import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { McpFile } from '../../manifests/config-files.gen.ts'
import type { McpConnections, McpServer, McpServerState, McpService } from '../../sdk/index.ts'
import { once } from '../base/disposable.ts'
import { messageOf, systemCode } from '../base/errors.ts'
import type { Environment } from '../workspace/process/environment.ts'
import { createWatchdog } from '../workspace/process/watchdog.ts'
import { fillVariables } from './mcp-variables.ts'

/** What of MCP servers is the host's: the file, the environment, and who answers for the connections. */
export interface McpPart {
  readonly service: McpService
  /** What answers now; undefined while nothing does. */
  connections(): McpConnections | undefined
  states(): readonly McpServerState[]
  /** Ends what is still guarded. */
  close(): void
}

/** How long one call may take where mcp.json does not say, in milliseconds; the schema's own default. */
const CALL_TIMEOUT_MS = 60_000

/** Makes it; reads nothing before it is asked. */
export function createMcpPart(deps: {
  readonly config: string
  readonly environment: () => Promise<Environment>
  /** What `${NAME}` in mcp.json stands for. */
  readonly variables: Environment
}): McpPart {
  let attached: McpConnections | undefined
  const watchdog = createWatchdog()
  return {
    connections: () => attached,
    states: () => attached?.states() ?? [],
    close: () => watchdog.close(),
    service: {
      servers: () => readMcpServers(join(deps.config, 'mcp.json'), deps.variables),
      async environment() {
        const all = Object.entries(await deps.environment())
        return Object.fromEntries(
          all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
        )
      },
      guard(group) {
        watchdog.guard(group)
        return once(() => watchdog.release(group))
      },
      attach(connections) {
        attached = connections
        return once(() => {
          if (attached === connections) attached = undefined
        })
      },
    },
  }
}

/** The servers of a mcp.json with their variables put in; what is wrong with the file stands beside them. */
export async function readMcpServers(
  file: string,
  variables: Environment,
): ReturnType<McpService['servers']> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return { servers: [], problems: [] }
    return { servers: [], problems: [`${file} cannot be read: ${messageOf(thrown)}`] }
  }
  const { readConfigFile } = await import('../../manifests/read-config-file.ts')
  const { value, diagnostics } = await readConfigFile('mcp', text, file)
  const problems = diagnostics.map((one) => {
    const hint = one.hint === undefined ? '' : ` (${one.hint})`
    return `${one.file}:${one.line}:${one.column} ${one.path ? `${one.path}: ` : ''}${one.message}${hint}`
  })
  const servers = Object.entries(value?.mcpServers ?? {})
  return { servers: servers.map(([name, server]) => fill(name, server, variables)), problems }
}

type FileServer = NonNullable<McpFile['mcpServers']>[string]

function fill(name: string, server: FileServer, variables: Environment): McpServer {
  const written = {
    name,
    command: server.command ?? '',
    args: server.args ?? [],
    env: server.env ?? {},
    cwd: server.cwd,
    url: server.url ?? '',
    headers: server.headers ?? {},
  }
  return {
    name,
    ...fillVariables(written, variables),
    type: server.command !== undefined ? 'stdio' : server.type === 'sse' ? 'sse' : 'http',
    timeoutMs: server.timeout ?? CALL_TIMEOUT_MS,
    disabled: server.disabled ?? false,
  }
}
