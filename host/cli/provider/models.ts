import type { ModelInfo } from '../../../sdk/index.ts'
import type { Connection } from '../../app/connector.ts'
import { AmberError } from '../../base/errors.ts'
import { sanitiseLine, sanitiseText } from '../../base/sanitise.ts'
import { table } from '../../base/table.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { CachedModels, ModelCache } from '../../llm/model-cache.ts'
import type { CliContext } from '../context.ts'
import { checkNamed, flagsOf, withProviders } from './open.ts'

/** A kept list younger than this is shown without asking again. Milliseconds. */
const FRESH_MS = 60 * 60 * 1000

/** The list that is shown, and why it is not a new one where it should have been. */
interface Shown {
  readonly list: CachedModels
  readonly cached: boolean
  readonly warning?: string
}

/**
 * `amber provider models [NAME]`: what the server lists, with context windows. A list that was fetched within the hour
 * is shown from the cache, with its age; so is an older one when the server cannot be asked.
 */
export function models(
  options: { readonly name?: string; readonly json?: boolean; readonly refresh?: boolean },
  context: CliContext,
): Promise<number> {
  const { io, clock } = context
  return withProviders(context, async (app, signal) => {
    await checkNamed(app, context, options.name)
    const connection = await app.connect(
      { ...flagsOf(context, options.name), anyModel: true },
      { interactive: true },
    )
    const { provider, model, notices } = connection.selected
    for (const notice of notices) io.err.write(`${sanitiseText(notice)}\n`)
    const source = { connection, cache: app.modelCache, now: clock.now(), signal }
    const { list, cached, warning } = await find(source, options.refresh === true)
    if (warning !== undefined) io.err.write(`${sanitiseText(warning)}\n`)
    if (options.json) {
      const fetchedAt = new Date(list.fetchedAt).toISOString()
      io.out.write(`${JSON.stringify({ provider, fetchedAt, cached, models: list.models }, null, 2)}\n`)
    } else if (list.models.length === 0) {
      io.err.write(`${provider} lists no models.\nName one yourself: --model NAME\n`)
    } else {
      io.out.write(table(list.models.map((one) => cells(one, model))))
      if (cached) io.err.write(`Fetched ${age(clock.now() - list.fetchedAt)} ago; --refresh asks again.\n`)
    }
    return EXIT.done
  })
}

interface Source {
  readonly connection: Connection
  readonly cache: ModelCache
  readonly now: number
  readonly signal: AbortSignal
}

async function find({ connection, cache, now, signal }: Source, refresh: boolean): Promise<Shown> {
  const server = { provider: connection.selected.provider, apiBase: connection.apiBase }
  const kept = await cache.read(server)
  if (kept !== undefined && !refresh && now - kept.fetchedAt < FRESH_MS) return { list: kept, cached: true }
  const listed = await connection.listModels(signal)
  if (listed.kind === 'models') return { list: { models: listed.models, fetchedAt: now }, cached: false }
  const { message, hint } = listed.error
  if (kept === undefined) throw new AmberError('failed', message, hint)
  return { list: kept, cached: true, warning: `${message} ${hint}\nThis is the list that was kept.` }
}

function cells(model: ModelInfo, chosen: string): readonly string[] {
  return [model.id === chosen ? '*' : ' ', sanitiseLine(model.id), windowText(model)]
}

/** A server that holds less than its model was made for could be started with more: both are said. */
function windowText({ contextWindow: held, trainedContextWindow: trained }: ModelInfo): string {
  const tokens = (count: number) => `${count.toLocaleString('en-US')} tokens`
  if (held === undefined) return trained === undefined ? '-' : `made for ${tokens(trained)}`
  return trained === undefined || trained <= held
    ? tokens(held)
    : `${tokens(held)}, made for ${tokens(trained)}`
}

function age(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000))
  if (minutes < 1) return 'less than a minute'
  if (minutes < 60) return `${minutes} minute${minutes === 1 ? '' : 's'}`
  const hours = Math.round(minutes / 60)
  if (hours < 48) return `${hours} hour${hours === 1 ? '' : 's'}`
  return `${Math.round(hours / 24)} days`
}
