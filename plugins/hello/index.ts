import { definePlugin } from 'amber-agent/sdk'
import { greeting } from './greeting.ts'
import type { Hello } from './plugin.types.ts'

export default definePlugin<Hello>(() => ({
  tools: {
    greet: {
      execute: ({ name }) => ({ ok: true, output: greeting(name) }),
      summarize: ({ name }) => name ?? 'world',
    },
  },
  commands: { hello: { greet: ({ text }) => greeting(text) } },
}))
