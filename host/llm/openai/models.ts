import type { ModelInfo } from '../../../sdk/index.ts'
import { isRecord, type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from '../json.ts'

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
  return {
    id: textOf(entry.id) || textOf(entry.model) || textOf(entry.name),
    ...(window === undefined ? {} : { contextWindow: window }),
    ...(trained === undefined || trained <= 0 ? {} : { trainedContextWindow: trained }),
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
