import type { ModelInfo } from '../../sdk/index.ts'
import { AmberError } from '../base/errors.ts'
import { sanitiseLine } from '../base/sanitise.ts'
import type { CachedModels, ModelCache } from '../llm/model-cache.ts'
import type { Connection } from './connector.ts'

/** A kept list younger than this is shown without asking again. Milliseconds. */
const FRESH_MS = 60 * 60 * 1000

/** The list that is shown, and why it is not a new one where it should have been. */
export interface ModelList {
  readonly list: CachedModels
  readonly cached: boolean
  readonly warning?: string
}

/** Where a list comes from. */
export interface ModelListSource {
  readonly connection: Connection
  readonly cache: ModelCache
  readonly now: number
  readonly signal: AbortSignal
}

/** A recent list that is kept, else the server's. Rejects with an AmberError when there is neither. */
export async function findModels(
  { connection, cache, now, signal }: ModelListSource,
  refresh: boolean,
): Promise<ModelList> {
  const server = { provider: connection.selected.provider, apiBase: connection.apiBase }
  const kept = await cache.read(server)
  if (kept !== undefined && !refresh && now - kept.fetchedAt < FRESH_MS) return { list: kept, cached: true }
  const listed = await connection.listModels(signal)
  if (listed.kind === 'models') return { list: { models: listed.models, fetchedAt: now }, cached: false }
  const { message, hint } = listed.error
  if (kept === undefined) throw new AmberError('failed', message, hint)
  return { list: kept, cached: true, warning: `${message} ${hint}\nThis is the list that was kept.` }
}

/** Id, context window and price as cells; what nobody says is a dash. */
export function modelCells(model: ModelInfo): readonly string[] {
  return [sanitiseLine(model.id), windowText(model), priceText(model.price)]
}

/** A server that holds less than its model was made for could be started with more: both are said. */
function windowText({ contextWindow: held, trainedContextWindow: trained }: ModelInfo): string {
  const tokens = (count: number) => `${count.toLocaleString('en-US')} tokens`
  if (held === undefined) return trained === undefined ? '-' : `made for ${tokens(trained)}`
  return trained === undefined || trained <= held
    ? tokens(held)
    : `${tokens(held)}, made for ${tokens(trained)}`
}

/** `$0.05 in, $0.40 out` for a million tokens; `-` where nobody says it, `free` for nothing. */
export function priceText(price: ModelInfo['price']): string {
  if (price === undefined) return '-'
  const { input, output } = price
  return input === 0 && output === 0 ? 'free' : `${dollars(input)} in, ${dollars(output)} out`
}

/** Two digits after the point, more where fewer would tell nothing. */
function dollars(amount: number): string {
  const text = amount.toFixed(2)
  return `$${amount > 0 && amount < 0.1 ? String(Number(amount.toPrecision(3))) : text}`
}

/** `5 minutes`, `3 hours`. */
export function ageText(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000))
  if (minutes < 1) return 'less than a minute'
  if (minutes < 60) return `${minutes} minute${minutes === 1 ? '' : 's'}`
  const hours = Math.round(minutes / 60)
  if (hours < 48) return `${hours} hour${hours === 1 ? '' : 's'}`
  return `${Math.round(hours / 24)} days`
}
