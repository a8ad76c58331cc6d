import { decline, definePlugin } from 'amber-agent/sdk'
import type { ToolProcess } from './plugin.types.ts'
import { readJob, startedIds, startJob, stopJob } from './process-tools.ts'

export default definePlugin<ToolProcess>((host) => {
  const { jobs, shell } = host.services
  if (!jobs) {
    const none = decline('this run has no jobs')
    return { tools: { process_start: none, process_read: none, process_stop: none } }
  }
  const started = new Set(startedIds(host.handedOver))
  return {
    tools: {
      process_start: {
        async execute(args) {
          const { id, result } = await startJob(jobs, args)
          if (id !== undefined) started.add(id)
          return result
        },
        summarize: ({ command }) => command,
        approvalScope: async ({ command }) => {
          const judged = await shell?.judge(command)
          return {
            scopes: judged?.scopes.length ? judged.scopes : [command],
            reason: judged?.reason ?? 'runs on',
          }
        },
      },
      process_read: { execute: (args) => readJob(jobs, args), summarize: ({ id }) => id },
      process_stop: { execute: (args) => stopJob(jobs, args), summarize: ({ id }) => id },
    },
    async dispose(reason) {
      if (reason === 'reload') return { handedOver: [...started] }
      await Promise.all([...started].map((id) => jobs.stop(id)))
    },
  }
})
