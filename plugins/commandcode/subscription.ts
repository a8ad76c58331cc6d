import type { Allowance } from 'amber-agent/sdk'
import { member, wordsOf } from './json.ts'

/** Where Command Code tells the plan. */
export const SUBSCRIPTION_URL = 'https://api.commandcode.ai/alpha/billing/subscriptions'

/** The plan that is paid for, as Command Code names it. */
export interface Subscription {
  readonly plan: string
  /** `active`, `canceled`, … */
  readonly status?: string
  /** When the paid month ends, ISO 8601. */
  readonly periodEnd?: string
}

/** The plan of an answer; undefined for anything that names none (WAL-2). */
export function readSubscription(answer: unknown): Subscription | undefined {
  const data = member(answer, 'data')
  const plan = wordsOf(member(data, 'planId'))
  if (plan === undefined) return undefined
  const status = wordsOf(member(data, 'status'))
  const periodEnd = wordsOf(member(data, 'currentPeriodEnd'))
  const end = Date.parse(periodEnd ?? '')
  return {
    plan,
    ...(status === undefined ? {} : { status }),
    ...(Number.isNaN(end) ? {} : { periodEnd: new Date(end).toISOString() }),
  }
}

/** The credits with the plan's name, and with the day on which the month's credits are given anew while it goes on. */
export function withSubscription(allowance: Allowance, subscription: Subscription | undefined): Allowance {
  if (subscription === undefined) return allowance
  const { plan, status, periodEnd } = subscription
  const active = status === undefined || status === 'active' || status === 'trialing'
  const windows = allowance.windows.map((window) =>
    window.label === 'monthly' && active && periodEnd !== undefined
      ? { ...window, resetsAt: periodEnd }
      : window,
  )
  return { ...allowance, plan: active ? plan : `${plan} (${status})`, windows }
}
