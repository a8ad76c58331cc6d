import { definePlugin } from 'amber-agent/sdk'
import type { TemplateCommand } from './plugin.types.ts'

export default definePlugin<TemplateCommand>(() => ({
  commands: {
    template_command: {
      shout: ({ text }) => (text === '' ? 'There is nothing to shout.' : `${text.toUpperCase()}!`),
    },
  },
}))
