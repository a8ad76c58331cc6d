import { definePlugin } from 'amber-agent/sdk'
import { geminiDialect } from './dialect.ts'
import type { Gemini } from './plugin.types.ts'

export default definePlugin<Gemini>(() => ({
  providers: { gemini: { dialect: () => geminiDialect } },
}))
