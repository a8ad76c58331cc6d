import type { HostEvents } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { EventBus } from '../base/event-bus.ts'
import { didYouMean } from '../base/nearest.ts'
import type { Outcome } from '../base/outcome.ts'
import type { InstalledTool } from '../registry/contribution.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import { waitOrAbandon } from './abandon.ts'
import type { Approvals } from './approval.ts'
import type { CallArguments } from './arguments.ts'
import { readAnswer, type ToolAnswerParts } from './tool-answer.ts'
import type { AgentMode, ToolRequested } from './turn.ts'

/** What dispatching needs of the host. */
export interface ToolDispatchDeps {
  /** The live pointer: a call runs on the newest version of its tool (SWAP-3). */
  readonly snapshot: () => Snapshot
  readonly bus: EventBus
  readonly clock: Clock
  readonly mode: () => AgentMode
  readonly approvals: Approvals
  /** Hears of a call that ignored its cancellation (TOOL-7). */
  readonly onAbandoned: (tool: string, plugin: string) => void
}

/** A call to make. */
export interface CallRequest {
  readonly id: string
  readonly name: string
  readonly arguments: CallArguments
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

type Ended = ToolAnswerParts & { readonly end: CallOutcome['end'] }

/** A call that may go on, or why it may not. */
type Judged =
  | { readonly kind: 'go'; readonly tool: InstalledTool; readonly args: unknown }
  | {
      readonly kind: 'stop'
      readonly tool: InstalledTool | undefined
      readonly args: unknown
      readonly error: string
    }

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
  const judged = await judge(deps, request)
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

/** Interceptors, lookup and validation. */
async function judge(deps: ToolDispatchDeps, request: CallRequest): Promise<Judged> {
  const written = request.arguments.ok ? request.arguments.args : request.arguments.raw
  const gate = await askInterceptors(deps, request, written)
  const tool = deps.snapshot().tools.get(request.name)
  const stop = (error: string, args: unknown = written): Judged => ({ kind: 'stop', tool, args, error })
  if (gate.vetoed) return stop(`Plugin ${gate.owner} stopped this call: ${gate.reason}.`)
  if (tool === undefined) return stop(absent(deps.snapshot(), request.name))
  if (deps.mode() === 'read' && !tool.readOnly) {
    return stop(`Tool ${tool.name} changes things, and amber is in read mode: only read-only tools run.`)
  }
  if (!gate.changed && !request.arguments.ok) return stop(request.arguments.message)
  try {
    const check = await tool.check(gate.args)
    if (check.ok) return { kind: 'go', tool, args: check.args }
    const by = gate.changed ? ' (an interceptor changed them)' : ''
    return stop(`The arguments of ${tool.name} do not fit its schema${by}: ${check.message}`, gate.args)
  } catch (thrown) {
    return stop(
      `The arguments of ${tool.name} (plugin ${tool.plugin}) could not be checked: ${messageOf(thrown)}`,
    )
  }
}

type Gate =
  | { readonly vetoed: true; readonly owner: string; readonly reason: string }
  | { readonly vetoed: false; readonly changed: boolean; readonly args: unknown }

async function askInterceptors(
  deps: ToolDispatchDeps,
  request: CallRequest,
  written: unknown,
): Promise<Gate> {
  if (!deps.bus.has('tool.requested')) return { vetoed: false, changed: false, args: written }
  // A copy, so that a handler changes the call by its answer only and never behind validation's back.
  const offered = copy(written)
  const answer = await deps.bus.intercept('tool.requested', {
    id: request.id,
    name: request.name,
    plugin: deps.snapshot().tools.get(request.name)?.plugin,
    arguments: offered,
  })
  if (answer.vetoed) return answer
  const changed = answer.event.arguments !== offered
  return { vetoed: false, changed, args: changed ? answer.event.arguments : written }
}

function copy(value: unknown): unknown {
  try {
    return structuredClone(value)
  } catch {
    return value
  }
}

/** What to tell a model that called a tool which is not there. */
function absent(snapshot: Snapshot, name: string): string {
  const gone = snapshot.unavailable.get(`tool:${name}`)
  if (gone !== undefined) {
    return `Tool ${name} belongs to plugin ${gone.plugin}, which ${gone.why}. The user can mend that with: ${gone.remedy}`
  }
  return `There is no tool ${name}. ${didYouMean(name, snapshot.tools.keys()) || 'Use one of the tools offered.'}`
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
  if (deps.mode() === 'yolo') return 'allowed'
  const needed = await tool.requiresApproval(args).catch(() => true)
  if (!needed || signal.aborted) return 'allowed'
  const summary = tool.summarize(args)
  return deps.approvals.decide({ tool: tool.name, plugin: tool.plugin, summary, arguments: args }, signal)
}

async function execute(deps: ToolDispatchDeps, ready: Ready, watcher: CallWatcher): Promise<Ended> {
  const { tool, args, request } = ready
  let open = true
  const running = start(tool, args, {
    id: request.id,
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

/** Runs the tool's code; what it throws past its guard is a fault like any other. */
async function start(
  tool: InstalledTool,
  args: unknown,
  call: Parameters<InstalledTool['execute']>[1],
): Promise<Outcome<unknown>> {
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
