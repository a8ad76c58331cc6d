import type { ModelInfo } from '../../../sdk/index.ts'
import type { App, ProviderRow } from '../../app/app.ts'

/** A model of a provider, as its list says it. */
export interface KnownModel extends ModelInfo {
  readonly provider: string
  /** Only the provider's own default is known: no list of its is kept. */
  readonly isUnlisted?: boolean
}

/** The models of all providers that can be used. */
export interface KnownModels {
  /** From the lists that are kept: nothing is asked for. */
  load(): Promise<readonly KnownModel[]>
  /** Asks every provider that can be used for its list; tells of each that came. Never rejects. */
  fetch(onList: () => void): Promise<void>
  /** Those of one provider, as they were loaded last. */
  of(provider: string): readonly string[]
}

/** What it asks of a running amber. */
type ListingApp = Pick<App, 'providers' | 'connect' | 'modelCache'>

/** Makes it; nothing is read before it is asked to. */
export function createKnownModels(app: () => ListingApp | undefined): KnownModels {
  let known: readonly KnownModel[] = []
  const usable = async (amber: ListingApp) =>
    (await amber.providers({})).filter(({ hasKey, requiresKey }) => hasKey || !requiresKey)
  const load = async () => {
    const amber = app()
    if (amber === undefined) return []
    const lists = (await usable(amber)).map((row) => modelsOf(amber, row))
    known = (await Promise.all(lists)).flat()
    return known
  }
  return {
    load,
    async fetch(onList) {
      const amber = app()
      if (amber === undefined) return
      const asked = (await usable(amber)).map(async ({ name }) => {
        const flags = { provider: name, anyModel: true }
        const connection = await amber.connect(flags, { interactive: true, attempts: 1 })
        const listed = await connection.listModels(AbortSignal.timeout(LIST_MS))
        if (listed.kind === 'models') onList()
      })
      await Promise.allSettled(asked)
    },
    of: (provider) => known.flatMap((model) => (model.provider === provider ? [model.id] : [])),
  }
}

/** How long one provider may take for its list. Milliseconds. */
const LIST_MS = 15_000

async function modelsOf(
  amber: Pick<App, 'modelCache'>,
  { name, apiBase, defaultModel }: ProviderRow,
): Promise<readonly KnownModel[]> {
  const kept = await amber.modelCache.read({ provider: name, apiBase })
  if (kept !== undefined) return kept.models.map((model) => ({ provider: name, ...model }))
  return defaultModel === '' ? [] : [{ provider: name, id: defaultModel, isUnlisted: true }]
}
