import { existsSync } from 'node:fs'
import type { McpConnections } from '../../sdk/index.ts'
import { AmberError } from '../base/errors.ts'
import type { CoreHandler } from '../command/dispatch.ts'
import type { Plugins } from '../plugin/plugins.ts'
import type { McpPart } from './mcp-part.ts'

/** What the commands about MCP servers work on. */
export interface McpCommandDeps {
  readonly mcp: McpPart
  readonly plugins: Pick<Plugins, 'info' | 'swap'>
  /** Where the servers are written. */
  readonly file: string
}

/** The plugin that connects the servers. */
const PLUGIN = 'mcp'

/** The commands about MCP servers, by dotted path; the plugin that connects them answers. */
export function mcpCommands(deps: McpCommandDeps): ReadonlyMap<string, CoreHandler> {
  const withServer =
    (
      run: (connections: McpConnections, server: string, signal: AbortSignal) => Promise<string>,
    ): CoreHandler =>
    async ({ text, signal }) => {
      if (text === '') throw new AmberError('failed', 'No server was named.', 'See them all: /mcp list')
      return run(await connectionsOf(deps), text, signal)
    }
  return new Map<string, CoreHandler>([
    ['mcp.list', async () => (await connectionsOf(deps)).list()],
    ['mcp.show', withServer((connections, server) => connections.show(server))],
    ['mcp.connect', withServer((connections, server, signal) => connections.connect(server, signal))],
    ['mcp.disconnect', withServer((connections, server) => connections.disconnect(server))],
    [
      'mcp.refresh',
      async ({ text, signal }) => (await connectionsOf(deps)).refresh(text === '' ? undefined : text, signal),
    ],
  ])
}

/** Whoever answers; a plugin that was not started, since there was no mcp.json then, is started now. */
async function connectionsOf({ mcp, plugins, file }: McpCommandDeps): Promise<McpConnections> {
  const info = plugins.info(PLUGIN)
  if (info === undefined || !info.enabled)
    throw new AmberError(
      'failed',
      `MCP servers are connected by the plugin ${PLUGIN}, which ${info ? 'is switched off' : 'is not there'}.`,
      info ? `Switch it on: amber plugin on ${PLUGIN}` : 'Start amber without --no-plugins.',
    )
  if (!existsSync(file) && mcp.states().length === 0)
    throw new AmberError(
      'failed',
      `There are no MCP servers: ${file} does not exist.`,
      'Write it: {"mcpServers": {"NAME": {"command": "PROGRAM", "args": []}}}',
    )
  if (mcp.connections() === undefined) await plugins.swap(PLUGIN, { fresh: true })
  const connections = mcp.connections()
  if (connections) return connections
  const why = plugins.info(PLUGIN)?.reason ?? 'it does not say why'
  throw new AmberError(
    'failed',
    `The plugin ${PLUGIN} does not run: ${why}`,
    `See amber plugin info ${PLUGIN}.`,
  )
}
