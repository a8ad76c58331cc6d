import { type JsonRecord, numberOf, recordOf, type Usage, type WireUsage } from 'amber-agent/sdk'

/** The numbers of `usageMetadata` under amber's names; undefined when there is none. */
export function readWireUsage(metadata: unknown): WireUsage | undefined {
  const numbers = recordOf(metadata)
  if (numbers === undefined) return undefined
  const read = {
    ...known('promptTokens', numbers.promptTokenCount),
    ...known('completionTokens', numbers.candidatesTokenCount),
    ...known('totalTokens', numbers.totalTokenCount),
    ...known('cachedTokens', numbers.cachedContentTokenCount),
    ...known('reasoningTokens', numbers.thoughtsTokenCount),
    ...known('toolUsePromptTokens', numbers.toolUsePromptTokenCount),
  }
  return Object.keys(read).length === 0 ? undefined : read
}

/** Output is answer and thoughts, which Google counts apart; input is the prompt and what its own tools brought. */
export function normaliseUsage(wire: WireUsage): Usage {
  const { cachedTokens, reasoningTokens } = wire
  return {
    inputTokens: sum(wire.promptTokens, wire.toolUsePromptTokens),
    outputTokens: sum(wire.completionTokens, reasoningTokens),
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    wire,
  }
}

/** The usage that an answer, a chunk or a bare usage object carries. */
export function findUsage(body: JsonRecord): WireUsage | undefined {
  return readWireUsage(body.usageMetadata) ?? readWireUsage(body)
}

function sum(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined && second === undefined ? undefined : (first ?? 0) + (second ?? 0)
}

function known<Name extends string>(name: Name, value: unknown): Readonly<Partial<Record<Name, number>>> {
  const read = numberOf(value)
  const result: Partial<Record<Name, number>> = {}
  if (read !== undefined) result[name] = read
  return result
}
