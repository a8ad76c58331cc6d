import { decline, definePlugin } from 'amber-agent/sdk'
import type { ToolTask } from './plugin.types.ts'
import { runTask } from './run-task.ts'

export default definePlugin<ToolTask>(({ services: { subagents } }) => {
  if (!subagents) return { tools: { task: decline('this run has no sub-agents') } }
  return {
    tools: {
      task: {
        execute: (args, call) => runTask(subagents, args.prompt, call),
        summarize: ({ prompt }) => prompt.trim().split('\n', 1)[0]?.slice(0, 100) ?? '',
      },
    },
  }
})
