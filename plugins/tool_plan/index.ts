import { decline, definePlugin } from 'amber-agent/sdk'
import type { ToolPlan } from './plugin.types.ts'
import { summarisePlan, writePlan } from './write-plan.ts'

export default definePlugin<ToolPlan>(({ services: { todos } }) => {
  if (!todos) return { tools: { todowrite: decline('this run keeps no todos') } }
  return {
    tools: {
      todowrite: {
        execute: (args, call) => writePlan(todos, args.todos, call),
        summarize: (args) => summarisePlan(args.todos),
      },
    },
  }
})
