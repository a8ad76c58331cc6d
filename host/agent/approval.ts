import type { Clock } from '../base/clock.ts'
import type { ApprovalRule, ApprovalRules } from './approval-rules.ts'
import type { ApprovalAnswer, ApprovalRequest, Approver } from './turn.ts'

/** What was decided about a call: `unattended` means that nobody was there to ask, `forbidden` that a rule says no. */
export type ApprovalDecision = 'allowed' | 'denied' | 'forbidden' | 'unattended'

/** Decides calls that need approval, by rules and answers (SAFE-2). */
export interface Approvals {
  /** Whether any rule says no to a call of this tool: then its scopes are to be looked at before it may run. */
  mayForbid(call: Pick<ApprovalRequest, 'plugin' | 'tool'>): Promise<boolean>
  /** Whether a rule says no, to the tool or to one of the scopes. A rule holds in every mode. */
  isForbidden(request: ApprovalRequest): Promise<boolean>
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
  /** What the user said for good; without it such answers hold for the session. */
  readonly rules?: ApprovalRules
}

/** Makes the memory of one session; rules are keyed by plugin, tool and scope. */
export function createApprovals(settings: ApprovalSettings): Approvals {
  const { approver, rules } = settings
  const session = new Map<string, 'allow' | 'deny'>()
  let queue: Promise<unknown> = Promise.resolve()

  /** Rules that cannot be read allow nothing: the user is asked. */
  const stored = async (): Promise<readonly ApprovalRule[]> => (await rules?.list().catch(() => [])) ?? []
  const ruling = async (request: ApprovalRequest): Promise<'allow' | 'deny' | undefined> =>
    rule(request, await stored(), session)

  const kept = async (answer: ApprovalRule): Promise<boolean> => {
    try {
      await rules?.set(answer)
      return rules !== undefined
    } catch {
      return false
    }
  }

  const remember = async (request: ApprovalRequest, answer: ApprovalAnswer): Promise<void> => {
    const decision = answer === 'never' ? 'deny' : 'allow'
    if (answer !== 'session' && answer !== 'always' && answer !== 'never') return
    const { plugin, tool } = request
    for (const scope of scopesOf(request)) {
      const isKept = answer !== 'session' && (await kept({ plugin, tool, scope, decision }))
      // An answer that cannot be kept holds for this session at least; one that is kept ends when its rule is forgotten.
      if (!isKept) session.set(keyOf({ ...request, scope }), decision)
    }
  }

  const ask = async (request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> => {
    const ruled = await ruling(request)
    if (ruled !== undefined) return ruled === 'allow' ? 'allowed' : 'forbidden'
    if (approver === undefined) return 'unattended'
    if (signal.aborted) return 'denied'
    const answer = await answerInTime(approver, request, { ...settings, signal })
    await remember(request, answer)
    return answer === 'deny' || answer === 'never' ? 'denied' : 'allowed'
  }

  return {
    async mayForbid({ plugin, tool }) {
      const isOf = (one: Pick<ApprovalRule, 'plugin' | 'tool'>) => one.plugin === plugin && one.tool === tool
      return (
        [...session].some(([key, decision]) => decision === 'deny' && isOf(readKey(key))) ||
        (await stored()).some((one) => one.decision === 'deny' && isOf(one))
      )
    },
    isForbidden: async (request) => (await ruling(request)) === 'deny',
    decide(request, signal) {
      const decision = queue.then(() => ask(request, signal))
      queue = decision.catch(() => undefined)
      return decision
    },
    reset: () => session.clear(),
  }
}

type Key = Pick<ApprovalRule, 'plugin' | 'tool' | 'scope'>

function keyOf({ plugin, tool, scope }: Key): string {
  return JSON.stringify([plugin, tool, scope ?? null])
}

function readKey(key: string): Pick<Key, 'plugin' | 'tool'> {
  const value: unknown = JSON.parse(key)
  const [plugin, tool] = Array.isArray(value) ? value : []
  return { plugin: String(plugin), tool: String(tool) }
}

/** What a rule for the call is about: its scopes, or the tool as a whole. */
function scopesOf({ scopes }: ApprovalRequest): readonly (string | undefined)[] {
  return scopes.length > 0 ? scopes : [undefined]
}

/** What is ruled: no when anything of it is refused; yes when all of it is allowed (row X1). */
function rule(
  request: ApprovalRequest,
  stored: readonly ApprovalRule[],
  session: ReadonlyMap<string, 'allow' | 'deny'>,
): 'allow' | 'deny' | undefined {
  const { plugin, tool } = request
  const said = new Map([...session, ...stored.map((one) => [keyOf(one), one.decision] as const)])
  const whole = said.get(keyOf({ plugin, tool, scope: undefined }))
  const each = request.scopes.map((scope) => said.get(keyOf({ plugin, tool, scope })))
  if (whole === 'deny' || each.includes('deny')) return 'deny'
  if (whole === 'allow') return 'allow'
  return each.length > 0 && each.every((one) => one === 'allow') ? 'allow' : undefined
}

const ANSWERS: readonly ApprovalAnswer[] = ['once', 'session', 'always', 'deny', 'never']

/** The approver's answer, or `deny` when it throws, comes too late, is none, or the call is cancelled meanwhile. */
async function answerInTime(
  approver: Approver,
  request: ApprovalRequest,
  how: ApprovalSettings & { readonly signal: AbortSignal },
): Promise<ApprovalAnswer> {
  const ended = new AbortController()
  const signal = AbortSignal.any([how.signal, ended.signal])
  const timeoutMs = how.timeoutMs ?? APPROVAL_TIMEOUT_MS
  const cancel = timeoutMs === 0 ? () => {} : how.clock.after(timeoutMs, () => ended.abort())
  const tooLate = new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('deny'), { once: true })
  })
  try {
    const answer: unknown = await Promise.race([approver(request, signal), tooLate])
    return ANSWERS.find((one) => one === answer) ?? 'deny'
  } catch {
    return 'deny'
  } finally {
    cancel()
  }
}

/** The approver of somebody who wants no questions: whatever would be asked is refused. */
export const denyEverything: Approver = async () => 'deny'

/** The approver of `--yes`: whatever is asked is allowed. */
export const allowEverything: Approver = async () => 'once'
