import type { ApprovalRequest, Approver } from './turn.ts'

/** What was decided about a call: `unattended` means that nobody was there to ask. */
export type ApprovalDecision = 'allowed' | 'denied' | 'unattended'

/** Decides calls that need approval, and remembers what was allowed for this session (SAFE-2). */
export interface Approvals {
  /** Questions are asked one at a time. Fails closed: an approver that throws has denied. */
  decide(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>
  /** Forgets what was allowed for the session. */
  reset(): void
}

/** Makes the memory of one session; rules are keyed by plugin and tool. */
export function createApprovals(approver: Approver | undefined): Approvals {
  const allowed = new Set<string>()
  let queue: Promise<unknown> = Promise.resolve()

  const ask = async (request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> => {
    const key = JSON.stringify([request.plugin, request.tool])
    if (allowed.has(key)) return 'allowed'
    if (approver === undefined) return 'unattended'
    if (signal.aborted) return 'denied'
    const answer = await approver(request, signal).catch(() => 'deny' as const)
    if (answer === 'session') allowed.add(key)
    return answer === 'once' || answer === 'session' ? 'allowed' : 'denied'
  }

  return {
    decide(request, signal) {
      const decision = queue.then(() => ask(request, signal))
      queue = decision.catch(() => undefined)
      return decision
    },
    reset: () => allowed.clear(),
  }
}

/** The approver of `--yes`: whatever is asked is allowed. */
export const allowEverything: Approver = async () => 'once'
