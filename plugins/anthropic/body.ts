import {
  type ChatRequest,
  type DialectConfig,
  markedText,
  type SystemMessage,
  splitSystem,
} from 'amber-agent/sdk'
import { markCache } from './cache-marks.ts'
import { appendToUser, writeMessages } from './messages.ts'
import { replyLimits } from './thinking.ts'
import { writeTool } from './tools.ts'
import type { WireBlock } from './wire-message.ts'

/** The body of a request to the Messages API (bundled-plugins 4). */
export function buildBody(config: DialectConfig, request: ChatRequest): Readonly<Record<string, unknown>> {
  const parts = splitSystem(request.messages)
  const marked = markCache({
    tools: request.tools.map(writeTool),
    system: parts.system.map(writeBlock),
    head: parts.head.map(writeBlock),
    messages: writeMessages(parts.conversation, config.model),
  })
  const system = [...marked.system, ...marked.head]
  const tail = parts.tail.map((block) => ({ type: 'text', text: markedText(block) }))
  return {
    model: config.model,
    ...replyLimits(config, parts.conversation),
    ...(system.length === 0 ? {} : { system }),
    messages: appendToUser(marked.messages, tail),
    ...(marked.tools.length === 0 ? {} : { tools: marked.tools }),
    stream: request.stream,
  }
}

function writeBlock({ text }: SystemMessage): WireBlock {
  return { type: 'text', text }
}
