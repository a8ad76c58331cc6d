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
  return createPreparation(reader)(request)
}

/** The same for request after request: a list of tools that is the very same as the last one is prepared once. */
export function createPreparation(reader: HistoryReader): (request: ChatRequest) => PreparedRequest {
  let last: { readonly given: ChatRequest['tools']; readonly tools: readonly ToolDefinition[] } | undefined
  let names = createToolNames([])
  return (request) => {
    if (last?.given !== request.tools) {
      const own = createToolNames(request.tools.map(({ name }) => name))
      names = own
      last = { given: request.tools, tools: request.tools.map((tool) => prepareTool(tool, own)) }
    }
    const { tools } = last
    const messages = normaliseHistory(request.messages, reader).map((message) => nameMessage(message, names))
    return { names, request: { stream: request.stream, messages, tools } }
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
