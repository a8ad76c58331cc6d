import { definePlugin } from 'amber-agent/sdk'
import type { Openrouter } from './plugin.types.ts'
import { keyBalance } from './wallet.ts'

export default definePlugin<Openrouter>(() => ({
  wallets: {
    openrouter: async ({ apiBase, get }) => keyBalance(await get(`${apiBase.replace(/\/+$/, '')}/key`)),
  },
}))
