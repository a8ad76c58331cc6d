import { definePlugin } from 'amber-agent/sdk'
import type { TemplateAllowance } from './plugin.types.ts'

export default definePlugin<TemplateAllowance>(() => ({
  allowances: {
    async template_allowance({ apiBase, get }) {
      const answer = await get(`${apiBase}/usage`)
      const isKnown = typeof answer === 'object' && answer !== null && 'percent' in answer
      if (!isKnown || typeof answer.percent !== 'number') return undefined
      return { windows: [{ label: '5h', percentUsed: answer.percent }] }
    },
  },
}))
