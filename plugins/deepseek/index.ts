import { definePlugin } from 'amber-agent/sdk'
import type { Deepseek } from './plugin.types.ts'
import { BALANCE_URL, readBalances } from './wallet.ts'

export default definePlugin<Deepseek>(() => ({
  wallets: { deepseek: async ({ get }) => readBalances(await get(BALANCE_URL)) },
}))
