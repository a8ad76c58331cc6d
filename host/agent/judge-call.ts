import { messageOf } from '../base/errors.ts'
import type { EventBus } from '../base/event-bus.ts'
import { didYouMean } from '../base/nearest.ts'
import type { InstalledTool } from '../registry/contribution.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import type { CallArguments } from './arguments.ts'
import type { AgentMode } from './turn.ts'

/** What judging a call needs of the host. */
export interface JudgeDeps {
  /** The live pointer: a call runs on the newest version of its tool (SWAP-3). */
  readonly snapshot: () => Snapshot
  readonly bus: EventBus
  readonly mode: () => AgentMode
}

/** A call to make. */
export interface CallRequest {
  readonly id: string
  readonly name: string
  readonly arguments: CallArguments
}

/** A call that may go on, or why it may not. */
export type Judged =
  | { readonly kind: 'go'; readonly tool: InstalledTool; readonly args: unknown }
  | {
      readonly kind: 'stop'
      readonly tool: InstalledTool | undefined
      readonly args: unknown
      readonly error: string
    }

/** Interceptors, lookup, mode and arguments, in that order (EVT-2, TOOL-4). Never rejects. */
export async function judgeCall(deps: JudgeDeps, request: CallRequest): Promise<Judged> {
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

async function askInterceptors(deps: JudgeDeps, request: CallRequest, written: unknown): Promise<Gate> {
  if (!deps.bus.has('tool.requested')) return { vetoed: false, changed: false, args: written }
  const answer = await deps.bus.intercept('tool.requested', {
    id: request.id,
    name: request.name,
    plugin: deps.snapshot().tools.get(request.name)?.plugin,
    arguments: written,
  })
  if (answer.vetoed) return answer
  const args = answer.event.arguments
  return { vetoed: false, changed: args !== written, args }
}

/** What to tell a model that called a tool which is not there. */
function absent(snapshot: Snapshot, name: string): string {
  const gone = snapshot.unavailable.get(`tool:${name}`)
  if (gone !== undefined) {
    return `Tool ${name} belongs to plugin ${gone.plugin}, which ${gone.why}. The user can mend that with: ${gone.remedy}`
  }
  return `There is no tool ${name}. ${didYouMean(name, snapshot.tools.keys()) || 'Use one of the tools offered.'}`
}
