import { decline, definePlugin } from 'amber-agent/sdk'
import type { ToolSearch } from './plugin.types.ts'
import { searchWorkspace } from './search-workspace.ts'

export default definePlugin<ToolSearch>(({ services: { search } }) => {
  if (!search) return { tools: { search: decline('this run has no search service') } }
  return {
    tools: {
      search: {
        execute: (args, call) => searchWorkspace(search, args, call),
        summarize: ({ pattern, path }) => (path ? `"${pattern}" in ${path}` : `"${pattern}"`),
      },
    },
  }
})
