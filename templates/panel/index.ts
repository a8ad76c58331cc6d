import { definePlugin } from 'amber-agent/sdk'
import type { TemplatePanel } from './plugin.types.ts'

let presses = 0

export default definePlugin<TemplatePanel>(() => ({
  panels: {
    template_panel: {
      lines: (width) => [`Pressed + ${presses} times`, '-'.repeat(width)],
      onKey(key) {
        if (key !== '+') return false
        presses += 1
        return true
      },
    },
  },
}))
