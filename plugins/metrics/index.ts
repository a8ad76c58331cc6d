import { definePlugin } from 'amber-agent/sdk'
import type { Metrics } from './plugin.types.ts'
import { continueTally, describeTally } from './tally.ts'

export default definePlugin<Metrics>((host) => {
  const tally = continueTally(host.handedOver)
  return {
    events: {
      'turn.started': () => {
        tally.turnsStarted += 1
      },
      'turn.ended': ({ durationMs }) => {
        tally.turnsEnded += 1
        tally.turnMs += durationMs
        host.log.info(describeTally(tally))
      },
      'tool.requested': () => {
        tally.toolsRequested += 1
      },
      'tool.completed': ({ ok, durationMs }) => {
        tally.toolsCompleted += 1
        tally.toolsFailed += ok ? 0 : 1
        tally.toolMs += durationMs
      },
    },
    dispose: () => ({ handedOver: { ...tally } }),
  }
})
