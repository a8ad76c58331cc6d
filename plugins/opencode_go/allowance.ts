import { type Allowance, type AllowanceWindow, memberOf, numberOf } from 'amber-agent/sdk'

/** Where OpenCode tells what of a Go subscription is used. */
export const USAGE_URL = 'https://opencode.ai/zen/go/v1/usage'

/** The wire's names of the windows, and amber's. */
const WINDOWS = [
  ['rolling', '5h'],
  ['weekly', '7d'],
  ['monthly', 'monthly'],
] as const

/** The windows of `usage`, `percent` being percent used. Undefined for anything that is no such answer (WAL-2). */
export function readUsage(answer: unknown): Allowance | undefined {
  const usage = memberOf(answer, 'usage')
  const windows = WINDOWS.flatMap(([name, label]) => readWindow(memberOf(usage, name), label))
  return windows.length === 0 ? undefined : { windows }
}

function readWindow(window: unknown, label: string): readonly AllowanceWindow[] {
  const percent = numberOf(memberOf(window, 'percent'))
  if (percent === undefined) return []
  const resetsAt = memberOf(window, 'resetsAt')
  const known = typeof resetsAt === 'string' && !Number.isNaN(Date.parse(resetsAt))
  return [{ label, percentUsed: percent, ...(known ? { resetsAt } : {}) }]
}
