import { decline, definePlugin } from 'amber-agent/sdk'
import type { ToolRead } from './plugin.types.ts'
import { DEFAULT_LIMIT, readTextFile } from './read-file.ts'

export default definePlugin<ToolRead>(({ services: { workspace } }) => {
  if (!workspace) return { tools: { read: decline('this run has no workspace') } }
  return {
    tools: {
      read: {
        execute: (args, call) => readTextFile(workspace, args, call),
        summarize({ path, offset = 1, limit = DEFAULT_LIMIT }) {
          return `${path}:${offset}-${offset + limit - 1}`
        },
      },
    },
  }
})
