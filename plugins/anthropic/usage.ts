import { type JsonRecord, numberOf, recordOf, type Usage, type WireUsage } from 'amber-agent/sdk'

/** The numbers of a `usage` object under amber's names; a null or an absent one is left out (S13). */
export function readWireUsage(usage: unknown): WireUsage | undefined {
  const numbers = recordOf(usage)
  if (numbers === undefined) return undefined
  const read = {
    ...known('promptTokens', numbers.input_tokens),
    ...known('completionTokens', numbers.output_tokens),
    ...known('cachedTokens', numbers.cache_read_input_tokens),
    ...known('cacheWriteTokens', numbers.cache_creation_input_tokens),
    ...known('reasoningTokens', recordOf(numbers.output_tokens_details)?.thinking_tokens),
  }
  return Object.keys(read).length === 0 ? undefined : read
}

/** Input is everything that the model read: fresh, from the cache and into the cache. Thinking counts as output. */
export function normaliseUsage(wire: WireUsage): Usage {
  const { promptTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = wire
  return {
    inputTokens:
      promptTokens === undefined ? undefined : promptTokens + (cachedTokens ?? 0) + (cacheWriteTokens ?? 0),
    outputTokens: wire.completionTokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    wire,
  }
}

/** The usage that a whole answer, an event or a bare usage object carries. */
export function findUsage(body: JsonRecord): WireUsage | undefined {
  return readWireUsage(body.usage) ?? readWireUsage(recordOf(body.message)?.usage) ?? readWireUsage(body)
}

function known<Name extends string>(name: Name, value: unknown): Readonly<Partial<Record<Name, number>>> {
  const read = numberOf(value)
  const result: Partial<Record<Name, number>> = {}
  if (read !== undefined) result[name] = read
  return result
}
