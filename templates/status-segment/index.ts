import { definePlugin } from 'amber-agent/sdk'
import type { TemplateStatusSegment } from './plugin.types.ts'

export default definePlugin<TemplateStatusSegment>(() => ({
  statusSegments: {
    template_status_segment: ({ runningTool }) => ({
      text: runningTool && `running ${runningTool}`,
      tone: 'accent',
    }),
  },
}))
