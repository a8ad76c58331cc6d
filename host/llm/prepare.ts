import type { ChatRequest, Message, ToolDefinition } from '../../sdk/index.ts'
import { type HistoryReader, normaliseHistory } from './history.ts'
import { tidySchema } from './schema.ts'
import { createToolNames, type ToolNames } from './tool-names.ts'
import { wellFormed } from './well-formed.ts'

/** A request as a dialect gets it, and the way back from its tool names. */
export interface PreparedRequest {
  readonly request: ChatRequest
  readonly names: ToolNames
}

/** Does for every dialect what none of them should have to do: history, names, schemas. The given request stays as it is. */
export function prepareRequest(request: ChatRequest, reader: HistoryReader): PreparedRequest {
  const names = createToolNames(request.tools.map(({ name }) => name))
  return {
    names,
    request: {
      stream: request.stream,
      messages: normaliseHistory(request.messages, reader).map((message) => nameMessage(message, names)),
      tools: request.tools.map((tool) => prepareTool(tool, names)),
    },
  }
}

function prepareTool(tool: ToolDefinition, names: ToolNames): ToolDefinition {
  return {
    name: names.toWire(tool.name),
    description: wellFormed(tool.description),
    parameters: tidySchema(tool.parameters),
  }
}

function nameMessage(message: Message, names: ToolNames): Message {
  if (message.role === 'tool') return { ...message, name: names.toWire(message.name) }
  if (message.role !== 'assistant' || message.toolCalls.length === 0) return message
  return {
    ...message,
    toolCalls: message.toolCalls.map((call) => ({ ...call, name: names.toWire(call.name) })),
  }
}
