import type { StatusSnapshot } from '../../sdk/index.ts'

/** What status segments see in one window in which nothing runs and of which nothing is measured yet. */
export function quietStatus(
  moment: Pick<StatusSnapshot, 'model' | 'now'> & Partial<Pick<StatusSnapshot, 'mcpServers'>>,
): StatusSnapshot {
  return {
    windowIndex: 1,
    windowCount: 1,
    reasoningEffort: '',
    mode: 'write',
    scrollMode: false,
    latencyMs: undefined,
    promptTokens: undefined,
    completionTokens: undefined,
    tps: undefined,
    runningJobs: 0,
    jobSecondsLeft: undefined,
    runningTool: '',
    mcpServers: [],
    ...moment,
  }
}
