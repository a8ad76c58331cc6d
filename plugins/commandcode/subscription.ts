import { type Allowance, memberOf, textOf } from 'amber-agent/sdk'

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
  const data = memberOf(answer, 'data')
  const plan = textOf(memberOf(data, 'planId'))
  if (plan === '') return undefined
  const status = textOf(memberOf(data, 'status'))
  const end = Date.parse(textOf(memberOf(data, 'currentPeriodEnd')))
  return {
    plan,
    ...(status === '' ? {} : { status }),
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
