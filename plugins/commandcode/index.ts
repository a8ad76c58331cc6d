import { definePlugin } from 'amber-agent/sdk'
import { CREDITS_URL, readCredits } from './allowance.ts'
import type { Commandcode } from './plugin.types.ts'
import { readSubscription, SUBSCRIPTION_URL, withSubscription } from './subscription.ts'

export default definePlugin<Commandcode>(() => ({
  allowances: {
    commandcode: async ({ get }) => {
      // The plan is told beside the credits; one who has none, or an answer that fails, leaves them as they are.
      const plan = get(SUBSCRIPTION_URL).then(readSubscription, () => undefined)
      const credits = readCredits(await get(CREDITS_URL))
      return credits === undefined ? undefined : withSubscription(credits, await plan)
    },
  },
}))
