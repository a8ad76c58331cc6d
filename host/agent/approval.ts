import type { Clock } from '../base/clock.ts'
import type { ApprovalRequest, Approver } from './turn.ts'

/** What was decided about a call: `unattended` means that nobody was there to ask. */
export type ApprovalDecision = 'allowed' | 'denied' | 'unattended'

/** Decides calls that need approval, and remembers what was allowed for this session (SAFE-2). */
export interface Approvals {
  /** Questions are asked one at a time. Fails closed: an approver that throws or is too late has denied. */
  decide(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>
  /** Forgets what was allowed for the session. */
  reset(): void
}

/** How long a question waits before it counts as no, in milliseconds, unless said (bundled-plugins 3). */
export const APPROVAL_TIMEOUT_MS = 60_000

/** How a session's approvals are made. */
export interface ApprovalSettings {
  readonly clock: Clock
  /** Absent: nobody is there to ask. */
  readonly approver?: Approver
  /** 0 waits for ever. */
  readonly timeoutMs?: number
}

/** Makes the memory of one session; rules are keyed by plugin and tool. */
export function createApprovals(settings: ApprovalSettings): Approvals {
  const { approver } = settings
  const allowed = new Set<string>()
  let queue: Promise<unknown> = Promise.resolve()

  const ask = async (request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> => {
    const key = JSON.stringify([request.plugin, request.tool])
    if (allowed.has(key)) return 'allowed'
    if (approver === undefined) return 'unattended'
    if (signal.aborted) return 'denied'
    const answer = await answerInTime(approver, request, { ...settings, signal })
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

/** The approver's answer, or `deny` when it throws, comes too late or the call is cancelled meanwhile. */
async function answerInTime(
  approver: Approver,
  request: ApprovalRequest,
  how: ApprovalSettings & { readonly signal: AbortSignal },
): Promise<unknown> {
  const ended = new AbortController()
  const signal = AbortSignal.any([how.signal, ended.signal])
  const timeoutMs = how.timeoutMs ?? APPROVAL_TIMEOUT_MS
  const cancel = timeoutMs === 0 ? () => {} : how.clock.after(timeoutMs, () => ended.abort())
  const tooLate = new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('deny'), { once: true })
  })
  try {
    return await Promise.race([approver(request, signal), tooLate])
  } catch {
    return 'deny'
  } finally {
    cancel()
  }
}

/** The approver of `--yes`: whatever is asked is allowed. */
export const allowEverything: Approver = async () => 'once'
