import { definePlugin } from 'amber-agent/sdk'
import { readUsage, USAGE_URL } from './allowance.ts'
import type { OpencodeGo } from './plugin.types.ts'

export default definePlugin<OpencodeGo>(() => ({
  allowances: { opencode_go: async ({ get }) => readUsage(await get(USAGE_URL)) },
}))
