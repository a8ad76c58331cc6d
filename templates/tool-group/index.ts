import { definePlugin } from 'amber-agent/sdk'
import type { TemplateToolGroup } from './plugin.types.ts'

export default definePlugin<TemplateToolGroup>((host) => ({
  tools: {
    template_tool_group_list: {
      async execute({ folder = '.' }) {
        const found = await host.services.workspace?.list(folder)
        if (!found?.ok) return { ok: false, error: found?.error ?? 'This run has no workspace.' }
        return { ok: true, output: found.entries.map((one) => one.name).join('\n') }
      },
      summarize: ({ folder = '.' }) => folder,
    },
    template_tool_group_count: {
      async execute({ file }) {
        const read = await host.services.workspace?.read(file)
        if (!read?.ok) return { ok: false, error: read?.error ?? 'This run has no workspace.' }
        return { ok: true, output: `${new TextDecoder().decode(read.bytes).split('\n').length} lines` }
      },
      summarize: ({ file }) => file,
    },
  },
}))
