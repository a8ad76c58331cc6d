import { type Completion, type Message, parseJson, type ToolCallRequest } from '../../sdk/index.ts'

/** The words by which protocols say that the token limit ended the reply. */
const LIMIT_WORDS = /^(length|max_tokens|max_output_tokens|model_length)$/i
/** Names that stand for no tool (seen where a server fills a schema's example in). */
const PLACEHOLDERS = new Set(['', 'null', 'undefined', 'none', 'function', 'tool_name', '<tool_name>'])

/**
 * Brings a reply's tool calls into one shape (PRO-9), whichever dialect read them: a nameless or placeholder call is
 * dropped, a missing or repeated id made new, unique in the conversation; and takes out what was cut (PRO-10).
 * A reply with a cut call is incomplete. Doing it twice changes nothing.
 */
export function sealCompletion(completion: Completion, conversation: readonly Message[]): Completion {
  const named = completion.message.toolCalls.filter((call) => !PLACEHOLDERS.has(call.name.trim()))
  if (named.length === 0 && completion.message.toolCalls.length === 0) return completion
  const calls = withUniqueIds(named, usedIds(conversation))
  const limited = LIMIT_WORDS.test(completion.finishReason)
  const whole: ToolCallRequest[] = []
  const cut: ToolCallRequest[] = [...(completion.cutCalls ?? [])]
  for (const call of calls) {
    if (completion.status !== 'complete' || isCut(call, limited)) cut.push(call)
    else whole.push(limited && call.arguments.trim() === '' ? { ...call, cut: true } : call)
  }
  return {
    ...completion,
    message: { ...completion.message, toolCalls: whole },
    status: completion.status === 'complete' && cut.length > 0 ? 'incomplete' : completion.status,
    ...(cut.length > 0 ? { cutCalls: cut } : {}),
  }
}

/** Arguments that are no JSON were cut when the limit ended the reply, or when they stop in the middle (D10 is neither). */
function isCut(call: ToolCallRequest, limited: boolean): boolean {
  if (call.arguments.trim() === '' || parseJson(call.arguments) !== undefined) return false
  return limited || stopsInTheMiddle(call.arguments)
}

/** Whether a JSON text ends inside a string or with a bracket open. */
export function stopsInTheMiddle(json: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (inString) {
      if (character === '\\') at++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    if (depth < 0) return false
  }
  return inString || depth > 0
}

function usedIds(conversation: readonly Message[]): Set<string> {
  const used = new Set<string>()
  for (const message of conversation) {
    if (message.role === 'assistant') for (const call of message.toolCalls) used.add(call.id)
  }
  return used
}

function withUniqueIds(calls: readonly ToolCallRequest[], used: Set<string>): readonly ToolCallRequest[] {
  return calls.map((call) => {
    const id = uniqueId(call.id, used)
    used.add(id)
    return id === call.id ? call : { ...call, id }
  })
}

/** The id itself when it is new; else the first of `call_N` or `ID_N` that is. */
export function uniqueId(id: string, used: ReadonlySet<string>): string {
  if (id !== '' && !used.has(id)) return id
  const stem = id === '' ? 'call' : id
  for (let number = id === '' ? used.size + 1 : 2; ; number++) {
    const candidate = `${stem}_${number}`
    if (!used.has(candidate)) return candidate
  }
}
