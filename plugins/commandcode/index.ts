import { definePlugin } from 'amber-agent/sdk'
import { CREDITS_URL, readCredits } from './allowance.ts'
import type { Commandcode } from './plugin.types.ts'

export default definePlugin<Commandcode>(() => ({
  allowances: { commandcode: async ({ get }) => readCredits(await get(CREDITS_URL)) },
}))
