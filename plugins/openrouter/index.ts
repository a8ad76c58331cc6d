import { definePlugin } from 'amber-agent/sdk'
import type { Openrouter } from './plugin.types.ts'
import { accountBalance, readKey } from './wallet.ts'

export default definePlugin<Openrouter>(() => ({
  wallets: {
    openrouter: async ({ apiBase, get }) => {
      const base = apiBase.replace(/\/+$/, '')
      const { balance, manages } = readKey(await get(`${base}/key`))
      // The account's own balance is told to management keys alone, which have no limit of their own.
      return balance === undefined && manages ? accountBalance(await get(`${base}/credits`)) : balance
    },
  },
}))
