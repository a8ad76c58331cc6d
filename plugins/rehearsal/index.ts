import { definePlugin } from 'amber-agent/sdk'
import type { Rehearsal } from './plugin.types.ts'
import { startServer } from './server.ts'

export default definePlugin<Rehearsal>(() => ({
  providers: { rehearsal: { start: ({ signal }) => startServer(signal) } },
}))
