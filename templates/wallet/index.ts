import { definePlugin, memberOf, numberOf } from 'amber-agent/sdk'
import type { TemplateWallet } from './plugin.types.ts'

export default definePlugin<TemplateWallet>(() => ({
  wallets: {
    async template_wallet({ apiBase, get }) {
      const answer = await get(`${apiBase}/balance`)
      return numberOf(memberOf(answer, 'balance'))
    },
  },
}))
