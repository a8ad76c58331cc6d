import {
  isRecord,
  type JsonRecord,
  listOf,
  type ModelInfo,
  numberOf,
  parseJson,
  recordOf,
  textOf,
} from '../../../sdk/index.ts'

const MAX_MODELS = 10_000

/**
 * The models of a list: `data[]` or `models[]`, each by `id`, `model` or `name`, duplicates removed
 * (bundled-plugins 4). Empty for anything else.
 */
export function parseOpenAiModelList(body: string): readonly ModelInfo[] {
  const parsed = parseJson(body)
  const list = Array.isArray(parsed) ? parsed : entries(recordOf(parsed))
  const models = new Map<string, ModelInfo>()
  for (const item of list.slice(0, MAX_MODELS)) {
    const model = typeof item === 'string' ? { id: item } : isRecord(item) ? readModel(item) : undefined
    if (model !== undefined && model.id !== '' && !models.has(model.id)) models.set(model.id, model)
  }
  return [...models.values()]
}

function entries(body: JsonRecord | undefined): readonly unknown[] {
  const data = listOf(body?.data)
  return data.length > 0 ? data : listOf(body?.models)
}

function readModel(entry: JsonRecord): ModelInfo {
  const window = contextWindowOf(entry)
  const trained = numberOf(recordOf(entry.meta)?.n_ctx_train)
  const price = priceOf(recordOf(entry.pricing))
  return {
    id: textOf(entry.id) || textOf(entry.model) || textOf(entry.name),
    ...(window === undefined ? {} : { contextWindow: window }),
    ...(trained === undefined || trained <= 0 ? {} : { trainedContextWindow: trained }),
    ...(price === undefined ? {} : { price }),
  }
}

/** What the running server holds (`n_ctx`) comes before what the model could hold. */
function contextWindowOf(entry: JsonRecord): number | undefined {
  const named = [
    recordOf(entry.meta)?.n_ctx,
    entry.n_ctx,
    entry.context_length,
    entry.max_input_tokens,
    entry.inputTokenLimit,
    entry.max_model_len,
  ]
  return named.map((value) => numberOf(value)).find((value) => value !== undefined && value > 0)
}

const MILLION = 1_000_000

/**
 * `pricing.prompt` and `pricing.completion`: US dollars for one token, as text (OpenRouter, whose lists others copied).
 * A negative price stands for one that depends, as that of a router of models, and is not known.
 */
function priceOf(pricing: JsonRecord | undefined): ModelInfo['price'] {
  const [input, output] = [dollarsOf(pricing?.prompt), dollarsOf(pricing?.completion)]
  return input === undefined || output === undefined ? undefined : { input, output }
}

/** Rounded to a billionth of a dollar: no price is finer, and sums of binary fractions are not shown. */
function dollarsOf(value: unknown): number | undefined {
  const isDecimal = typeof value === 'string' && /^\d+(\.\d+)?(e-?\d+)?$/i.test(value)
  const each = isDecimal ? Number(value) : numberOf(value)
  if (each === undefined || !Number.isFinite(each) || each < 0 || each > 1) return undefined
  return Number((each * MILLION).toFixed(9))
}
