import type { AgentSettings } from '../agent/agent.ts'
import { createCircleDetector } from '../agent/detector.ts'
import type { ConfigStore } from '../base/config.ts'

/** What `config.json` says of how conversations are led. Rejects with an AmberError when the file is invalid. */
export async function conversationSettings(
  config: ConfigStore,
): Promise<Pick<AgentSettings, 'compression' | 'createDetector' | 'subagentRequests'>> {
  const { compression, detection, subagents } = await config.read()
  const { enabled, threshold, minTurns } = compression ?? {}
  const { loop, duplicate } = detection ?? {}
  return {
    compression: {
      ...(enabled === undefined ? {} : { enabled }),
      ...(threshold === undefined ? {} : { threshold }),
      ...(minTurns === undefined ? {} : { minTurns }),
    },
    createDetector: () =>
      createCircleDetector({
        ...(loop === undefined ? {} : { loop }),
        ...(duplicate === undefined ? {} : { duplicate }),
      }),
    ...(subagents?.maxRounds === undefined ? {} : { subagentRequests: subagents.maxRounds }),
  }
}
