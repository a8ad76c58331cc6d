import { isRecord, listOf, type ModelInfo, numberOf, parseJson, recordOf, textOf } from 'amber-agent/sdk'

/** The models of a list, each once, by the name that the API gives it (`models/NAME`); empty for anything else. */
export function parseModelList(body: string): readonly ModelInfo[] {
  const models = new Map<string, ModelInfo>()
  for (const entry of listOf(recordOf(parseJson(body))?.models).filter(isRecord)) {
    const id = textOf(entry.name)
    const window = numberOf(entry.inputTokenLimit)
    if (id === '' || models.has(id)) continue
    models.set(id, { id, ...(window !== undefined && window > 0 ? { contextWindow: window } : {}) })
  }
  return [...models.values()]
}

/** What the list says of one model, named with `models/` or without. */
export function parseModels(body: string, model: string): ModelInfo | undefined {
  return parseModelList(body).find(({ id }) => id === model || id === `models/${model}`)
}
