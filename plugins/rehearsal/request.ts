/** A tool as the request offers it. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A result of a call, with the name of its tool. */
export interface GivenResult {
  readonly name: string
  readonly text: string
}

/** What of a chat request the rehearsal looks at. */
export interface ReadRequest {
  readonly model: string
  readonly stream: boolean
  readonly tools: readonly OfferedTool[]
  /** The last thing the user said. */
  readonly prompt: string
  /** Replies with calls since then: so many steps of the prompt are done. */
  readonly rounds: number
  readonly results: readonly GivenResult[]
  /** Characters of everything that was sent. */
  readonly characters: number
}

/** Reads a chat request's body; undefined when it is none. */
export function readRequest(body: string): ReadRequest | undefined {
  const parsed = asRecord(parse(body))
  if (parsed === undefined || !Array.isArray(parsed.messages)) return undefined
  const messages = parsed.messages.map((message) => asRecord(message) ?? {})
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const after = messages.slice(last + 1)
  return {
    model: asText(parsed.model) || 'rehearsal',
    stream: parsed.stream === true,
    tools: asList(parsed.tools).flatMap(readTool),
    prompt: contentText(messages[last]?.content),
    rounds: after.filter((message) => asList(message.tool_calls).length > 0).length,
    results: readResults(after),
    characters: body.length,
  }
}

function readTool(item: unknown): readonly OfferedTool[] {
  const called = asRecord(asRecord(item)?.function)
  const name = asText(called?.name)
  if (called === undefined || name === '') return []
  return [{ name, description: asText(called.description), parameters: asRecord(called.parameters) ?? {} }]
}

function readResults(messages: readonly Record<string, unknown>[]): readonly GivenResult[] {
  const names = new Map<string, string>()
  for (const message of messages) {
    for (const item of asList(message.tool_calls)) {
      const call = asRecord(item)
      names.set(asText(call?.id), asText(asRecord(call?.function)?.name))
    }
  }
  return messages
    .filter(({ role }) => role === 'tool')
    .map((message) => ({
      name: names.get(asText(message.tool_call_id)) ?? 'tool',
      text: contentText(message.content),
    }))
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return asList(content)
    .map((part) => asText(asRecord(part)?.text))
    .join('')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value as an object with named members, or undefined. */
export function asRecord(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as a list; empty for anything else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value as text; `''` for anything else. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
