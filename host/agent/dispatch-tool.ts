import type { HostEvents } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { Outcome } from '../base/outcome.ts'
import type { InstalledTool } from '../registry/contribution.ts'
import { waitOrAbandon } from './abandon.ts'
import type { Approvals } from './approval.ts'
import { type CallRequest, type JudgeDeps, type Judged, judgeCall } from './judge-call.ts'
import { readAnswer, type ToolAnswerParts } from './tool-answer.ts'
import type { Asker, ToolRequested } from './turn.ts'

/** What dispatching needs of the host. */
export interface ToolDispatchDeps extends JudgeDeps {
  readonly clock: Clock
  readonly approvals: Approvals
  /** The conversation that calls stand in; `outside` when they stand in none. */
  readonly conversation?: () => string
  /** Who is named as wanting the calls; absent when they stand in no turn. */
  readonly asker?: () => Asker
  /** Hears of a call that ignored its cancellation (TOOL-7). */
  readonly onAbandoned: (tool: string, plugin: string) => void
}

/** Who watches a call. */
export interface CallWatcher {
  readonly signal: AbortSignal
  /** The call was judged and is about to be asked for and run, or refused. */
  onRequested?(call: ToolRequested): void
  onProgress?(text: string): void
}

/** What a call came to. */
export interface CallOutcome extends ToolAnswerParts {
  readonly id: string
  readonly name: string
  readonly plugin: string | undefined
  /** As run; the model's own text where it was not JSON. */
  readonly arguments: unknown
  readonly durationMs: number
  readonly verb: string
  readonly summary: string
  /** `unattended`: it needed approval and nobody was there to give it. */
  readonly end: 'answered' | 'refused' | 'denied' | 'unattended' | 'cancelled' | 'abandoned'
}

/** The conversation of a call that stands in none. */
export const OUTSIDE = 'outside'

type Ended = ToolAnswerParts & { readonly end: CallOutcome['end'] }

/**
 * Makes one call: interceptors, lookup, arguments, approval, execution, in that order (EVT-2, TOOL-3 to TOOL-8).
 * Never rejects: whatever happens is an answer.
 */
export async function dispatchTool(
  deps: ToolDispatchDeps,
  request: CallRequest,
  watcher: CallWatcher,
): Promise<CallOutcome> {
  const started = deps.clock.monotonic()
  const judged = await judgeCall(deps, request)
  watcher.onRequested?.(describe(request, judged))
  const ended =
    judged.kind === 'stop'
      ? refused(judged.error)
      : await approveAndRun(deps, { ...judged, request }, watcher)
  const outcome: CallOutcome = {
    id: request.id,
    name: request.name,
    plugin: judged.tool?.plugin,
    arguments: judged.args,
    durationMs: deps.clock.monotonic() - started,
    ...words(request, judged),
    ...ended,
  }
  if (deps.bus.has('tool.completed')) deps.bus.publish('tool.completed', completedEvent(outcome))
  return outcome
}

const refused = (error: string): Ended => ({ ok: false, error, end: 'refused' })

function completedEvent(outcome: CallOutcome): HostEvents['tool.completed'] {
  const { id, name, plugin, ok, durationMs } = outcome
  return { id, name, plugin, ok, durationMs }
}

function describe(request: CallRequest, judged: Judged): ToolRequested {
  return {
    id: request.id,
    name: request.name,
    plugin: judged.tool?.plugin,
    arguments: judged.args,
    ...words(request, judged),
  }
}

function words(request: CallRequest, judged: Judged): { readonly verb: string; readonly summary: string } {
  return {
    verb: judged.tool?.verb ?? 'calling',
    // Arguments that were not validated are never shown to a plugin's code (row D11).
    summary: judged.kind === 'go' ? judged.tool.summarize(judged.args) : request.name,
  }
}

interface Ready {
  readonly tool: InstalledTool
  readonly args: unknown
  readonly request: CallRequest
}

async function approveAndRun(deps: ToolDispatchDeps, ready: Ready, watcher: CallWatcher): Promise<Ended> {
  const decision = await approve(deps, ready, watcher.signal)
  const { tool } = ready
  if (watcher.signal.aborted) return cancelled()
  if (decision === 'denied') {
    return { ok: false, end: 'denied', error: `The user did not allow this call of ${tool.name}.` }
  }
  if (decision === 'forbidden') {
    const error = `A rule of the user's forbids this call of ${tool.name}. Do without it, or ask the user.`
    return { ok: false, end: 'denied', error }
  }
  if (decision === 'unattended') {
    return {
      ok: false,
      end: 'unattended',
      error: `${tool.name} needs approval and nobody is there to give it, so it was not run.`,
    }
  }
  return execute(deps, ready, watcher)
}

const cancelled = (): Ended => ({ ok: false, error: 'The call was cancelled.', end: 'cancelled' })

async function approve(deps: ToolDispatchDeps, { tool, args }: Ready, signal: AbortSignal) {
  const { approvals, asker } = deps
  const [mayForbid, needed] = await Promise.all([
    approvals.mayForbid({ plugin: tool.plugin, tool: tool.name }),
    deps.mode() === 'yolo' ? false : tool.requiresApproval(args).catch(() => true),
  ])
  if ((!mayForbid && !needed) || signal.aborted) return 'allowed'
  const scope = await tool.approvalScope?.(args)
  const request = {
    tool: tool.name,
    plugin: tool.plugin,
    summary: tool.summarize(args),
    arguments: args,
    scopes: scope?.scopes ?? [],
    ...(scope?.reason === undefined ? {} : { reason: scope.reason }),
    ...(asker === undefined ? {} : { asker: asker() }),
  }
  if (mayForbid && (await approvals.isForbidden(request))) return 'forbidden'
  return needed ? approvals.decide(request, signal) : 'allowed'
}

async function execute(deps: ToolDispatchDeps, ready: Ready, watcher: CallWatcher): Promise<Ended> {
  const { tool, request } = ready
  let open = true
  const running = start(deps, ready, {
    id: request.id,
    conversation: deps.conversation?.() ?? OUTSIDE,
    signal: watcher.signal,
    progress: (text) => {
      if (open && typeof text === 'string') watcher.onProgress?.(text)
    },
  })
  const settled = await waitOrAbandon(running, { signal: watcher.signal, clock: deps.clock })
  open = false
  if (settled.kind === 'abandoned') {
    deps.onAbandoned(tool.name, tool.plugin)
    const error = `Tool ${tool.name} of plugin ${tool.plugin} ignored its cancellation and was abandoned.`
    return { ok: false, error, end: 'abandoned' }
  }
  const answer = readAnswer(tool, settled.value)
  if (!watcher.signal.aborted || answer.ok) return { ...answer, end: 'answered' }
  return { ...answer, ...cancelled() }
}

type RunningCall = Parameters<InstalledTool['execute']>[1]

/**
 * Runs the tool's code. A swap may have retired the version that was judged while the user thought about an approval:
 * then the version that is live now runs, if the arguments fit it too, for a swap never costs a call (SWAP-3).
 */
async function start(
  deps: ToolDispatchDeps,
  { tool, args }: Ready,
  call: RunningCall,
): Promise<Outcome<unknown>> {
  const outcome = await runOnce(tool, args, call)
  if (outcome.kind !== 'fault' || outcome.fault.reason !== 'retired') return outcome
  const live = deps.snapshot().tools.get(tool.name)
  if (live === undefined || live === tool || live.plugin !== tool.plugin) return outcome
  const check = await live.check(args)
  return check.ok ? runOnce(live, check.args, call) : outcome
}

/** What the code throws past its guard is a fault like any other. */
async function runOnce(tool: InstalledTool, args: unknown, call: RunningCall): Promise<Outcome<unknown>> {
  try {
    return await tool.execute(args, call)
  } catch (thrown) {
    const file = ''
    const message = messageOf(thrown)
    const diagnostic = {
      severity: 'error',
      code: 'AMB4000',
      file,
      line: 1,
      column: 1,
      path: '',
      message,
    } as const
    return {
      kind: 'fault',
      fault: { plugin: tool.plugin, label: `tool ${tool.name}`, reason: 'threw', diagnostic },
    }
  }
}
