import { definePlugin } from 'amber-agent/sdk'
import { dialect } from './dialect.ts'
import type { TemplateDialect } from './plugin.types.ts'

export default definePlugin<TemplateDialect>(() => ({
  providers: {
    template_dialect: { dialect: () => dialect },
  },
}))
