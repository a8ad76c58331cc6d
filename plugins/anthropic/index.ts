import { definePlugin } from 'amber-agent/sdk'
import { anthropicDialect } from './dialect.ts'
import type { Anthropic } from './plugin.types.ts'

export default definePlugin<Anthropic>(() => ({
  providers: { anthropic: { dialect: () => anthropicDialect } },
}))
