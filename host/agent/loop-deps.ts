import type { AgentDeps, AgentSettings } from './agent-deps.ts'
import type { Approvals } from './approval.ts'
import type { Compressor } from './compression.ts'
import type { Conversation } from './conversation.ts'
import { createCircleDetector } from './detector.ts'
import { dispatchTool, type ToolDispatchDeps } from './dispatch-tool.ts'
import type { LoopDeps } from './loop.ts'
import { noTexts, renderBlocks } from './prompt.ts'
import { createOffer } from './tools.ts'
import type { AgentMode, Asker, TurnSink } from './turn.ts'

/** Requests to the model in one turn, at most, unless said otherwise (interfaces 2). */
export const MAX_REQUESTS = 100

/** What an agent's turns share. */
export interface Shared {
  readonly deps: AgentDeps
  readonly settings: AgentSettings
  readonly conversation: Conversation
  readonly approvals: Approvals
  readonly compressor: Compressor
  readonly mode: () => AgentMode
  /** What services know the conversation by. */
  readonly id: () => string
  /** Who is named as wanting its calls. */
  readonly asker: () => Asker
}

/** What the loop of one turn runs on. */
export function createLoopDeps(shared: Shared, sink: TurnSink): LoopDeps {
  const { deps, settings, conversation, approvals, compressor, mode } = shared
  const { client, bus, clock, snapshot } = deps
  const kept = noTexts()
  const tools = createOffer()
  const dispatch: ToolDispatchDeps = {
    snapshot,
    bus,
    clock,
    approvals,
    mode,
    conversation: shared.id,
    asker: shared.asker,
    onAbandoned(tool, plugin) {
      sink.notice(`Tool ${tool} of plugin ${plugin} ignored its cancellation and was left to itself.`)
      deps.onAbandoned?.(tool, plugin)
    },
  }
  return {
    client,
    conversation,
    bus,
    clock,
    snapshot,
    mode,
    compressor,
    blocks: (shown) => renderBlocks(deps.prompt, shown, kept),
    tools,
    dispatch: (request, watcher) => dispatchTool(dispatch, request, watcher),
    maxRequests: settings.maxRequests ?? MAX_REQUESTS,
    createDetector: settings.createDetector ?? (() => createCircleDetector()),
  }
}
