import { type Allowance, type AllowanceWindow, memberOf, numberOf } from 'amber-agent/sdk'

/** Where Command Code tells credits and windows. */
export const CREDITS_URL = 'https://api.commandcode.ai/alpha/billing/credits'

const CREDITS = ['monthlyCredits', 'purchasedCredits', 'freeCredits'] as const
const WINDOWS = [
  ['fiveHour', '5h'],
  ['weekly', '7d'],
] as const

/**
 * The credits as balance and as what is left of the month, in US dollars, and the windows of `windowLimits`. Undefined
 * for anything that is no such answer (WAL-2).
 */
export function readCredits(answer: unknown): Allowance | undefined {
  const credits = memberOf(answer, 'credits')
  const balance = sumOfCredits(credits)
  const limits = memberOf(answer, 'windowLimits') ?? memberOf(credits, 'windowLimits')
  const windows = WINDOWS.flatMap(([name, label]) => readWindow(memberOf(limits, name), label))
  if (balance === undefined) return windows.length === 0 ? undefined : { windows }
  return {
    windows: [...windows, { label: 'monthly', remaining: balance }],
    creditsBalance: balance,
    currency: 'USD',
  }
}

/** One that is absent is none; one that is no number makes the sum unknown. */
function sumOfCredits(credits: unknown): number | undefined {
  const parts = CREDITS.map((name) => memberOf(credits, name)).filter(
    (part) => part !== undefined && part !== null,
  )
  const known = parts.filter((part): part is number => typeof part === 'number' && Number.isFinite(part))
  if (known.length === 0 || known.length < parts.length) return undefined
  return known.reduce((sum, part) => sum + part, 0)
}

function readWindow(window: unknown, label: string): readonly AllowanceWindow[] {
  const used = numberOf(memberOf(window, 'used'))
  const cap = numberOf(memberOf(window, 'cap'))
  const resetsAt = isoTime(numberOf(memberOf(window, 'resetAt')))
  if (used === undefined && cap === undefined && resetsAt === undefined) return []
  const capped = used !== undefined && cap !== undefined
  return [
    {
      label,
      ...(capped && cap > 0 ? { percentUsed: (used / cap) * 100 } : {}),
      ...(resetsAt === undefined ? {} : { resetsAt }),
      ...(capped ? { remaining: cap - used } : {}),
      ...(cap === undefined ? {} : { entitlement: cap }),
    },
  ]
}

/** Milliseconds since 1970 as ISO 8601. */
function isoTime(ms: number | undefined): string | undefined {
  const time = new Date(ms ?? Number.NaN)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
