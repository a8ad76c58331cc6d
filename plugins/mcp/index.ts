import { definePlugin } from 'amber-agent/sdk'
import { createConnections } from './connections.ts'
import { createKnown } from './known.ts'
import type { Mcp } from './plugin.types.ts'

/** How long a server may take to come up: the first start of a package may download it. */
const CONNECT_MS = 60_000

/** After a failure, and after the next ones. */
const RETRY_MS = [1_000, 5_000, 30_000, 120_000, 300_000] as const

/** How long the first turn waits for servers that nothing is known of; below the host's own limit of a gate, 2 s. */
const GRACE_MS = 1_500

export default definePlugin<Mcp>(async (host) => {
  const { mcp, workspace, self } = host.services
  if (!mcp) return {}
  const connections = createConnections(mcp, {
    known: createKnown(host.cacheFolder),
    connectMs: CONNECT_MS,
    retryMs: [...RETRY_MS],
    log: (line) => host.log.info(line),
    offerTools: (group, tools) => host.offerTools(group, tools),
    async open(server, watch, asking) {
      // Only here, where a server is about to be connected: the SDK costs time and memory.
      const { openSession } = await import('./open-session.ts')
      const root = (await workspace?.root()) ?? process.cwd()
      const version = (await self?.describe())?.version ?? ''
      const environment = () => mcp.environment()
      const guard = (group: number) => mcp.guard(group)
      return openSession(server, { watch, environment, guard, workspace: root, asking, version })
    },
  })
  const detach = mcp.attach(connections)
  await connections.begin()
  let isFirst = true
  host.on('turn.started', async () => {
    if (!isFirst) return
    isFirst = false
    await connections.grace(GRACE_MS)
  })
  return {
    async dispose() {
      detach()
      await connections.close()
    },
  }
})
