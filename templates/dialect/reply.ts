import type { Completion, ModelInfo, ToolCallRequest, Usage } from 'amber-agent/sdk'
import { memberOf, parseJson, recordOf, textOf } from 'amber-agent/sdk'

type Part = Readonly<Record<string, unknown>> | undefined
type Calls = ToolCallRequest[]
type Tokens = Usage | undefined
type Models = readonly ModelInfo[]
type Value = unknown

/** A JSON object, or nothing: a server may send anything. */
export function objectIn(text = ''): Part {
  return recordOf(parseJson(text))
}

/** Collects an answer part by part, whether it comes whole or streamed. */
export function createReply() {
  let text = ''
  let end = ''
  let failure = ''
  let dropped = 0
  let usage: Tokens
  const toolCalls: Calls = []
  return {
    /** Gives the text that the part adds. */
    take(part: Part) {
      if (part === undefined) dropped += 1
      failure = textOf(part?.error) || failure
      end = textOf(part?.end) || end
      usage = usageIn(part?.tokens) ?? usage
      toolCalls.push(...callsIn(part?.call))
      const said = textOf(part?.say)
      text += said
      return said
    },
    completion(): Completion {
      return {
        message: { role: 'assistant', text, toolCalls },
        finishReason: end,
        status: failure !== '' ? 'error' : end === '' ? 'incomplete' : 'complete',
        usage,
        dropped,
        ...(failure === '' ? {} : { failure: { body: failure } }),
      }
    },
  }
}

function callsIn(value: Value): Calls {
  const name = textOf(memberOf(value, 'tool'))
  const args = JSON.stringify(memberOf(value, 'args') ?? {})
  return name === '' ? [] : [{ id: textOf(memberOf(value, 'id')), name, arguments: args }]
}

export function usageIn(value: Value): Tokens {
  if (!Array.isArray(value)) return undefined
  const [input, output] = value
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  return { inputTokens: input, outputTokens: output, wire: { promptTokens: input, completionTokens: output } }
}

export function modelsIn(body = ''): Models {
  const names = objectIn(body)?.models
  return Array.isArray(names) ? names.flatMap((id) => (typeof id === 'string' ? [{ id }] : [])) : []
}
