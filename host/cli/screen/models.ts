import type { App } from '../../app/app.ts'

/** A model of a provider, as its list says it. */
export interface KnownModel {
  readonly provider: string
  readonly id: string
  readonly contextWindow?: number
}

/** The models of all providers that can be used, from the lists that are kept: nothing is asked for here. */
export interface KnownModels {
  load(): Promise<readonly KnownModel[]>
  /** Those of one provider, as they were loaded last. */
  of(provider: string): readonly string[]
}

/** Makes it; nothing is read before it is asked to. */
export function createKnownModels(app: () => App | undefined): KnownModels {
  let known: readonly KnownModel[] = []
  return {
    async load() {
      const amber = app()
      if (amber === undefined) return []
      const rows = (await amber.providers({})).filter(({ hasKey, requiresKey }) => hasKey || !requiresKey)
      const lists = rows.map(async ({ name, apiBase, defaultModel }) => {
        const kept = await amber.modelCache.read({ provider: name, apiBase })
        const models = kept?.models ?? (defaultModel === '' ? [] : [{ id: defaultModel }])
        return models.map((model) => ({ provider: name, ...model }))
      })
      known = (await Promise.all(lists)).flat()
      return known
    },
    of: (provider) => known.flatMap((model) => (model.provider === provider ? [model.id] : [])),
  }
}
