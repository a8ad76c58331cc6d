import { definePlugin } from 'amber-agent/sdk'
import type { Kilocode } from './plugin.types.ts'
import { BALANCE_URL, readBalance } from './wallet.ts'

export default definePlugin<Kilocode>(() => ({
  wallets: { kilocode: async ({ get }) => readBalance(await get(BALANCE_URL)) },
}))
