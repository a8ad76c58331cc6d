import { decline, definePlugin } from 'amber-agent/sdk'
import type { ToolBash } from './plugin.types.ts'
import { runCommand } from './run-command.ts'

export default definePlugin<ToolBash>(({ services: { shell }, signal }) => {
  if (!shell) return { tools: { bash: decline('this run has no shell') } }
  return {
    tools: {
      bash: {
        execute: (args, call) => runCommand(shell, args, { call, until: signal }),
        requiresApproval: async ({ command }) => (await shell.judge(command)).needsApproval,
        approvalScope: ({ command }) => shell.judge(command),
        summarize: ({ command }) => command,
      },
    },
  }
})
