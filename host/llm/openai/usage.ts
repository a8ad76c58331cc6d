import {
  type JsonRecord,
  listOf,
  numberOf,
  recordOf,
  type Usage,
  type WireUsage,
} from '../../../sdk/index.ts'

/**
 * The usage that one body or chunk carries: at its top, inside the first choice (S12), or under `x_groq`.
 * A null beside it is nothing; undefined when there is none.
 */
export function findUsage(body: JsonRecord): WireUsage | undefined {
  const inChoice = recordOf(listOf(body.choices)[0])?.usage
  const found =
    recordOf(body.usage) ?? recordOf(inChoice) ?? recordOf(recordOf(body.x_groq)?.usage) ?? undefined
  return found === undefined ? undefined : readWireUsage(found)
}

/** The numbers of a `usage` object, under one set of names (fixtures README); what is no number is left out. */
export function readWireUsage(usage: JsonRecord): WireUsage {
  const prompt = recordOf(usage.prompt_tokens_details)
  const completion = recordOf(usage.completion_tokens_details)
  return known({
    promptTokens: numberOf(usage.prompt_tokens),
    completionTokens: numberOf(usage.completion_tokens),
    totalTokens: numberOf(usage.total_tokens),
    // DeepSeek and Moonshot count cache hits at the top.
    cachedTokens:
      numberOf(prompt?.cached_tokens) ??
      numberOf(usage.prompt_cache_hit_tokens) ??
      numberOf(usage.cached_tokens),
    reasoningTokens: numberOf(completion?.reasoning_tokens) ?? numberOf(usage.reasoning_tokens),
  })
}

/** Later numbers replace earlier ones; an absent one replaces nothing (S13). */
export function mergeWireUsage(earlier: WireUsage | undefined, later: WireUsage): WireUsage {
  return { ...earlier, ...later }
}

/** The one normalised view: input is everything that the model read, output everything that it wrote. */
export function normaliseUsage(wire: WireUsage): Usage {
  return {
    inputTokens: wire.promptTokens,
    outputTokens: outputOf(wire),
    ...known({ cachedTokens: wire.cachedTokens, reasoningTokens: wire.reasoningTokens }),
    wire,
  }
}

/** xAI and Vercel leave reasoning out of `completion_tokens`; the total gives it away, or more reasoning than text. */
function outputOf(wire: WireUsage): number | undefined {
  const { promptTokens, completionTokens, reasoningTokens = 0, totalTokens } = wire
  if (completionTokens === undefined || reasoningTokens === 0) return completionTokens
  const whole = completionTokens + reasoningTokens
  if (totalTokens !== undefined && promptTokens !== undefined) {
    return totalTokens === promptTokens + whole ? whole : completionTokens
  }
  return reasoningTokens > completionTokens ? whole : completionTokens
}

/** The same object without its undefined members. */
function known<Shape extends object>(
  shape: Shape,
): { [Key in keyof Shape]?: Exclude<Shape[Key], undefined> } {
  const result: { [Key in keyof Shape]?: Exclude<Shape[Key], undefined> } = {}
  for (const key in shape) {
    const value = shape[key]
    if (isKnown(value)) result[key] = value
  }
  return result
}

function isKnown<Value>(value: Value): value is Exclude<Value, undefined> {
  return value !== undefined
}
