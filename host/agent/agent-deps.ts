import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { Clock } from '../base/clock.ts'
import type { EventBus } from '../base/event-bus.ts'
import type { ChatClient } from '../llm/chat-client.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import type { ApprovalRules } from './approval-rules.ts'
import type { CompressionSettings } from './compression.ts'
import type { ConversationState, Journal } from './conversation.ts'
import type { Detector } from './detector.ts'
import type { PromptDeps } from './prompt.ts'
import type { Subagents } from './subagents.ts'
import type { AgentMode, Approver } from './turn.ts'

/** What an agent is made from. */
export interface AgentDeps {
  readonly client: ChatClient
  /** The live pointer (SWAP-3). */
  readonly snapshot: () => Snapshot
  readonly bus: EventBus
  readonly clock: Clock
  readonly prompt: PromptDeps
  readonly pluginErrors: () => readonly Diagnostic[]
  /** Hears of a call that ignored its cancellation (TOOL-7). */
  readonly onAbandoned?: (tool: string, plugin: string) => void
  /** What the user said for good about calls that need approval (SAFE-2). */
  readonly rules?: ApprovalRules
  /** Where a session's log hangs on. */
  readonly journal?: Journal
  /** The id of the session that is written, or null. */
  readonly session?: () => string | null
  /** What services know this conversation by (`ToolCall.conversation`). */
  readonly conversation?: () => string
  /** Where this agent's turns may have sub-agents. */
  readonly subagents?: Subagents
  /** What a summary must not lose: the plan. */
  readonly keepsake?: () => string
}

/** How this agent behaves. */
export interface AgentSettings {
  readonly mode: AgentMode
  readonly approver?: Approver
  /** How long a question waits before it counts as no; 60 s unless said, 0 waits for ever. */
  readonly approvalTimeoutMs?: number
  readonly maxRequests?: number
  /** How long a turn may take by the clock on the wall, in milliseconds; no limit unless said. */
  readonly maxTurnMs?: number
  /** The conversation to go on with. */
  readonly initial?: ConversationState
  readonly compression?: Partial<CompressionSettings>
  /** Requests to the model that a sub-agent may make; 20 unless said. */
  readonly subagentRequests?: number
  /** A circle detector for each turn; without it the usual one. */
  readonly createDetector?: () => Detector
}
