import { decline, definePlugin } from 'amber-agent/sdk'
import { isOwnFile } from './own-files.ts'
import type { ToolWrite } from './plugin.types.ts'
import { writeEdits } from './write-edits.ts'

export default definePlugin<ToolWrite>(({ services: { workspace } }) => {
  if (!workspace) return { tools: { write: decline('this run has no workspace') } }
  return {
    tools: {
      write: {
        execute: (args) => writeEdits(workspace, args),
        requiresApproval: ({ path }) => isOwnFile(workspace, path),
        approvalScope: async ({ path }) =>
          (await isOwnFile(workspace, path))
            ? { scopes: [path], reason: 'it decides what git or amber runs' }
            : { scopes: [] },
        summarize: ({ path, edits }) => (edits.length > 1 ? `${path} (${edits.length} edits)` : path),
      },
    },
  }
})
