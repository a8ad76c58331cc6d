import { definePlugin } from 'amber-agent/sdk'
import type { TemplateWallet } from './plugin.types.ts'

export default definePlugin<TemplateWallet>(() => ({
  wallets: {
    async template_wallet({ apiBase, get }) {
      const answer = await get(`${apiBase}/balance`)
      const isKnown = typeof answer === 'object' && answer !== null && 'balance' in answer
      return isKnown && typeof answer.balance === 'number' ? answer.balance : undefined
    },
  },
}))
