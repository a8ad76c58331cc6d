import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord, listOf, type ModelInfo, numberOf, parseJson, recordOf, textOf } from '../../sdk/index.ts'
import { writeFileAtomic } from '../base/atomic-file.ts'

/** Which server a list came from. */
export interface ListedServer {
  readonly provider: string
  readonly apiBase: string
}

/** A list as it was kept. */
export interface CachedModels {
  readonly models: readonly ModelInfo[]
  /** When it was fetched, milliseconds since 1970. */
  readonly fetchedAt: number
}

/** The model lists of this user's providers, `<cache>/models/NAME.json` (interfaces 3). */
export interface ModelCache {
  /** Undefined when none is kept of this very address, or what is kept cannot be read. */
  read(server: ListedServer): Promise<CachedModels | undefined>
  /** Never rejects: a list that cannot be kept is fetched again. */
  write(server: ListedServer, list: CachedModels): Promise<void>
}

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/
const MAX_MODELS = 10_000

/** Opens the cache in a folder. Nothing is touched before it is asked for. */
export function createModelCache(cache: string): ModelCache {
  const pathOf = ({ provider }: ListedServer) =>
    NAME.test(provider) ? join(cache, 'models', `${provider}.json`) : undefined
  return {
    async read(server) {
      const path = pathOf(server)
      const text = path === undefined ? undefined : await readFile(path, 'utf8').catch(() => undefined)
      const kept = text === undefined ? undefined : recordOf(parseJson(text))
      const fetchedAt = numberOf(kept?.fetchedAt)
      if (fetchedAt === undefined || kept?.server !== markOf(server)) return undefined
      return { fetchedAt, models: listOf(kept.models).flatMap(readModel) }
    },
    async write(server, { models, fetchedAt }) {
      const path = pathOf(server)
      if (path === undefined) return
      const kept = { server: markOf(server), fetchedAt, models: models.slice(0, MAX_MODELS) }
      await writeFileAtomic(path, `${JSON.stringify(kept)}\n`).catch(() => undefined)
    },
  }
}

/** Tells one address from another without repeating it: it may carry a key (PRO-13). */
function markOf({ apiBase }: ListedServer): string {
  return createHash('sha256').update(apiBase).digest('hex').slice(0, 16)
}

function readModel(item: unknown): readonly ModelInfo[] {
  if (!isRecord(item)) return []
  const id = textOf(item.id)
  const contextWindow = numberOf(item.contextWindow)
  const trained = numberOf(item.trainedContextWindow)
  const price = readPrice(item.price)
  if (id === '') return []
  return [
    {
      id,
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(trained === undefined ? {} : { trainedContextWindow: trained }),
      ...(price === undefined ? {} : { price }),
    },
  ]
}

function readPrice(value: unknown): ModelInfo['price'] {
  const [input, output] = [numberOf(recordOf(value)?.input), numberOf(recordOf(value)?.output)]
  return input === undefined || output === undefined ? undefined : { input, output }
}
