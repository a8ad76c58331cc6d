import type { DialectConfig } from 'amber-agent/sdk'

/** Tokens of thinking by effort, for models that take a budget. */
const BUDGETS = { off: 0, low: 1024, medium: 8192, high: 24_576 } as const
/** Gemini 2.5 Pro cannot stop thinking; this is the least it takes. */
const LEAST_PRO_BUDGET = 128

/**
 * How the reply is made: the limit and the thinking (ai.google.dev, "Thinking"). Models from 3 on take a level, 2.5
 * a budget, and older ones refuse either. Nothing is said of thinking unless the user did.
 */
export function generationConfig(config: DialectConfig): Readonly<Record<string, unknown>> {
  const thinking = thinkingConfig(config)
  return {
    ...(config.maxOutputTokens === undefined ? {} : { maxOutputTokens: config.maxOutputTokens }),
    ...(thinking === undefined ? {} : { thinkingConfig: thinking }),
  }
}

/** 2.5 of `gemini-2.5-pro`; 0 for a model whose name does not say. */
export function generationOf(model: string): number {
  return Number(/gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? 0)
}

function thinkingConfig({
  model,
  reasoningEffort: effort,
}: DialectConfig): Readonly<Record<string, unknown>> | undefined {
  const generation = generationOf(model)
  if (effort === undefined || generation < 2.5) return undefined
  const includeThoughts = effort !== 'off'
  if (generation >= 3) {
    // They cannot stop thinking either.
    return { includeThoughts, thinkingLevel: effort === 'off' ? 'low' : effort }
  }
  const least = model.includes('pro') ? LEAST_PRO_BUDGET : 0
  return { includeThoughts, thinkingBudget: Math.max(BUDGETS[effort], least) }
}
