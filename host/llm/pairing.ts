import type { Message, ToolCallRequest, ToolMessage } from '../../sdk/index.ts'

const CANCELLED = 'Cancelled: this call has no result, because amber was stopped before it ended.'

/**
 * Puts each call's result right behind the message that made it, in call order (P7, P15, P16, N9): a call without a
 * result gets one that says so, a result without its call is left out, and of two results of one call the first counts.
 * Nameless calls go, with their results. Every other message keeps its place.
 */
export function pairCalls(messages: readonly Message[]): readonly Message[] {
  const results = claimResults(messages)
  const paired: Message[] = []
  messages.forEach((message, at) => {
    if (message.role === 'tool') return
    if (message.role !== 'assistant') {
      paired.push(message)
      return
    }
    const calls = message.toolCalls.filter(({ name }) => name !== '')
    if (calls.length === 0 && message.text.trim() === '') return
    paired.push(calls.length === message.toolCalls.length ? message : { ...message, toolCalls: calls })
    for (const call of calls) {
      const found = results.get(at)?.get(call.id)
      paired.push({ ...(found ?? cancelled(call)), name: call.name })
    }
  })
  return paired
}

function cancelled(call: ToolCallRequest): ToolMessage {
  return { role: 'tool', callId: call.id, name: call.name, ok: false, text: CANCELLED }
}

/** By the place of the assistant's message, then by call id. */
type Claims = ReadonlyMap<number, ReadonlyMap<string, ToolMessage>>

/** A result belongs to the nearest call before it with its id that has none yet; else to the next one behind it. */
function claimResults(messages: readonly Message[]): Claims {
  const claims = new Map<number, Map<string, ToolMessage>>()
  const callers: { readonly at: number; readonly id: string }[] = []
  messages.forEach((message, at) => {
    if (message.role !== 'assistant') return
    claims.set(at, new Map())
    for (const call of message.toolCalls) callers.push({ at, id: call.id })
  })
  const byId = groupById(callers)
  messages.forEach((message, at) => {
    if (message.role !== 'tool') return
    const same = byId.get(message.callId) ?? []
    const before = same.filter((place) => place < at)
    const nearest = before.at(-1)
    if (nearest !== undefined) {
      const claimed = claims.get(nearest)
      if (claimed !== undefined && !claimed.has(message.callId)) claimed.set(message.callId, message)
      return
    }
    const next = same.find((place) => claims.get(place)?.has(message.callId) === false)
    if (next !== undefined) claims.get(next)?.set(message.callId, message)
  })
  return claims
}

function groupById(
  callers: readonly { readonly at: number; readonly id: string }[],
): ReadonlyMap<string, readonly number[]> {
  const byId = new Map<string, number[]>()
  for (const { at, id } of callers) {
    const places = byId.get(id)
    if (places === undefined) byId.set(id, [at])
    else places.push(at)
  }
  return byId
}
