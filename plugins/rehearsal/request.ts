import { listOf, parseJson, recordOf, textOf } from 'amber-agent/sdk'

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
  /** The last thing the user said, as far as plain words go. */
  readonly prompt: string
  /** Replies with calls since then: so many steps of the prompt are done. */
  readonly rounds: number
  readonly results: readonly GivenResult[]
  /** Characters of everything that was sent. */
  readonly characters: number
}

/** What is longer was pasted, and is looked through no further, in UTF-16 units. */
const MOST_PROMPT = 4000

/** Reads a chat request's body; undefined when it is none. */
export function readRequest(body: string): ReadRequest | undefined {
  const parsed = recordOf(parseJson(body))
  if (parsed === undefined || !Array.isArray(parsed.messages)) return undefined
  const messages = parsed.messages.map((message) => recordOf(message) ?? {})
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const after = messages.slice(last + 1)
  return {
    model: textOf(parsed.model) || 'rehearsal',
    stream: parsed.stream === true,
    tools: listOf(parsed.tools).flatMap(readTool),
    prompt: contentText(messages[last]?.content).slice(0, MOST_PROMPT),
    rounds: after.filter((message) => listOf(message.tool_calls).length > 0).length,
    results: readResults(after),
    characters: body.length,
  }
}

function readTool(item: unknown): readonly OfferedTool[] {
  const called = recordOf(recordOf(item)?.function)
  const name = textOf(called?.name)
  if (called === undefined || name === '') return []
  return [{ name, description: textOf(called.description), parameters: recordOf(called.parameters) ?? {} }]
}

function readResults(messages: readonly Record<string, unknown>[]): readonly GivenResult[] {
  const names = new Map<string, string>()
  for (const message of messages) {
    for (const item of listOf(message.tool_calls)) {
      const call = recordOf(item)
      names.set(textOf(call?.id), textOf(recordOf(call?.function)?.name))
    }
  }
  return messages
    .filter(({ role }) => role === 'tool')
    .map((message) => ({
      name: names.get(textOf(message.tool_call_id)) ?? 'tool',
      text: contentText(message.content),
    }))
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => textOf(recordOf(part)?.text))
    .join('')
}
