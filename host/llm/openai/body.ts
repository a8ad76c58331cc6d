import {
  type AssistantMessage,
  type ChatRequest,
  type DialectConfig,
  isRecord,
  listOf,
  type Message,
  recordOf,
  type SystemMessage,
  type ToolCallRequest,
  type ToolDefinition,
  textOf,
  type UserMessage,
} from '../../../sdk/index.ts'
import { projectOpenAiSchema } from './schema.ts'

/**
 * The body of a chat completion request (bundled-plugins 4). Plain text stays a string (P20), system messages keep the
 * role `system` (P21), and nothing is sent that compatible servers refuse (`strict`: J9).
 */
export function buildOpenAiBody(
  config: DialectConfig,
  request: ChatRequest,
): Readonly<Record<string, unknown>> {
  const messages = config.mergeSystem === true ? mergeForOneSystem(request.messages) : request.messages
  const effort = config.reasoningEffort
  return {
    model: config.model,
    messages: messages.map((message) => writeMessage(message, config.model)),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(writeTool) }),
    stream: request.stream,
    ...(request.stream ? { stream_options: { include_usage: true } } : {}),
    ...(effort === undefined || effort === 'off' ? {} : { reasoning_effort: effort }),
    ...(config.maxOutputTokens === undefined ? {} : { max_tokens: config.maxOutputTokens }),
  }
}

/**
 * Servers that take one system message mostly hold the rest to turns as well: one system message first, and
 * neighbouring user messages joined (PRM-1).
 */
function mergeForOneSystem(messages: readonly Message[]): readonly Message[] {
  const system = messages.filter((message): message is SystemMessage => message.role === 'system')
  const merged: Message[] = []
  if (system.length > 0) {
    merged.push({ role: 'system', placement: 'system', text: system.map(({ text }) => text).join('\n\n') })
  }
  for (const message of messages) {
    if (message.role === 'system') continue
    const last = merged.at(-1)
    if (last?.role === 'user' && message.role === 'user') merged[merged.length - 1] = joinUsers(last, message)
    else merged.push(message)
  }
  return merged
}

function joinUsers(first: UserMessage, second: UserMessage): UserMessage {
  const images = [...(first.images ?? []), ...(second.images ?? [])]
  return {
    role: 'user',
    text: `${first.text}\n\n${second.text}`,
    ...(images.length === 0 ? {} : { images }),
  }
}

function writeMessage(message: Message, model: string): Readonly<Record<string, unknown>> {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text }
    case 'user':
      return { role: 'user', content: writeUserContent(message) }
    case 'assistant':
      return writeAssistant(message, model)
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text }
  }
}

function writeUserContent(message: UserMessage): unknown {
  if (message.images === undefined || message.images.length === 0) return message.text
  const images = message.images.map(({ mimeType, base64 }) => ({
    type: 'image_url',
    image_url: { url: `data:${mimeType};base64,${base64}` },
  }))
  return message.text === '' ? images : [{ type: 'text', text: message.text }, ...images]
}

function writeAssistant(message: AssistantMessage, model: string): Readonly<Record<string, unknown>> {
  const own = message.origin?.flavor === 'openai' && message.origin.model === model
  const calls = message.toolCalls
  if (calls.length === 0) return { role: 'assistant', content: message.text }
  return {
    role: 'assistant',
    content: message.text === '' ? null : message.text,
    tool_calls: calls.map((call) => writeCall(call, own)),
    ...(own ? writeReplay(message.replay) : {}),
  }
}

/** What the server that wrote it wants back: DeepSeek its thinking (P1), OpenRouter its signed blocks. */
function writeReplay(replay: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(replay)) return {}
  const content = textOf(replay.reasoningContent)
  const details = listOf(replay.reasoningDetails)
  return {
    ...(content === '' ? {} : { reasoning_content: content }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
  }
}

function writeCall(call: ToolCallRequest, own: boolean): Readonly<Record<string, unknown>> {
  const extra = own ? recordOf(recordOf(call.replay)?.extraContent) : undefined
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments === '' ? '{}' : call.arguments },
    ...(extra === undefined ? {} : { extra_content: extra }),
  }
}

function writeTool(tool: ToolDefinition): Readonly<Record<string, unknown>> {
  return {
    type: 'function',
    function: {
      name: tool.name,
      description: tool.description,
      parameters: projectOpenAiSchema(tool.parameters),
    },
  }
}
