import { definePlugin } from 'amber-agent/sdk'
import type { TemplateTool } from './plugin.types.ts'

export default definePlugin<TemplateTool>(() => ({
  tools: {
    template_tool: {
      execute({ text }) {
        const words = text.split(/\s+/).filter((word) => word !== '')
        if (words.length === 0) return { ok: false, error: 'The text has no words. Give one that has.' }
        return { ok: true, output: `${words.length} ${words.length === 1 ? 'word' : 'words'}` }
      },
      summarize: ({ text }) => text.slice(0, 40),
    },
  },
}))
