import { isRecord, listOf, type ModelInfo, numberOf, parseJson, recordOf, textOf } from 'amber-agent/sdk'

/** The models of a list, each once; empty for anything else. */
export function parseModelList(body: string): readonly ModelInfo[] {
  const models = new Map<string, ModelInfo>()
  const parsed = recordOf(parseJson(body))
  for (const entry of [...listOf(parsed?.data), ...listOf(parsed?.models)].filter(isRecord)) {
    const id = textOf(entry.id) || textOf(entry.name)
    const window = numberOf(entry.max_input_tokens) ?? numberOf(entry.context_length)
    if (id === '' || models.has(id)) continue
    models.set(id, { id, ...(window !== undefined && window > 0 ? { contextWindow: window } : {}) })
  }
  return [...models.values()]
}
