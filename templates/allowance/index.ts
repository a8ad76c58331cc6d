import { definePlugin, memberOf, numberOf } from 'amber-agent/sdk'
import type { TemplateAllowance } from './plugin.types.ts'

export default definePlugin<TemplateAllowance>(() => ({
  allowances: {
    async template_allowance({ apiBase, get }) {
      const percentUsed = numberOf(memberOf(await get(`${apiBase}/usage`), 'percent'))
      return percentUsed === undefined ? undefined : { windows: [{ label: '5h', percentUsed }] }
    },
  },
}))
