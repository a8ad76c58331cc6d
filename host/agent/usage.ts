import type { Usage } from '../../sdk/index.ts'
import type { TurnResult } from './turn.ts'

/** Adds up what the requests of one turn cost. */
export interface UsageSum {
  add(usage: Usage | undefined): void
  total(): TurnResult['usage']
}

/** In and out are always numbers (interfaces 2), 0 where no server said one; cached and reasoning are absent then. */
export function createUsageSum(): UsageSum {
  const sums = new Map<string, number>()
  const wire = new Map<string, number>()
  const add = (to: Map<string, number>, name: string, value: unknown) => {
    if (typeof value === 'number' && Number.isFinite(value)) to.set(name, (to.get(name) ?? 0) + value)
  }
  return {
    add(usage) {
      if (usage === undefined) return
      for (const name of ['inputTokens', 'outputTokens', 'cachedTokens', 'reasoningTokens'] as const) {
        add(sums, name, usage[name])
      }
      for (const [name, value] of Object.entries(usage.wire)) add(wire, name, value)
    },
    total() {
      const cachedTokens = sums.get('cachedTokens')
      const reasoningTokens = sums.get('reasoningTokens')
      return {
        inputTokens: sums.get('inputTokens') ?? 0,
        outputTokens: sums.get('outputTokens') ?? 0,
        ...(cachedTokens === undefined ? {} : { cachedTokens }),
        ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
        wire: Object.fromEntries(wire),
      }
    },
  }
}
