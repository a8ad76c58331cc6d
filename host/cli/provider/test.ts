import type { Completion } from '../../../sdk/index.ts'
import { completionError } from '../../agent/finish.ts'
import type { TurnError } from '../../agent/turn.ts'
import type { Connection } from '../../app/connector.ts'
import type { Clock } from '../../base/clock.ts'
import { AmberError } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest.ts'
import { sanitiseLine, sanitiseText } from '../../base/sanitise.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { CliContext } from '../context.ts'
import { checkNamed, flagsOf, withProviders } from './open.ts'

/** What one tiny request came to; times in milliseconds. */
interface Trial {
  readonly completion: Completion
  readonly tookMs: number
  /** Until the first word; undefined when there was none. */
  readonly firstMs: number | undefined
}

const QUESTION = 'Answer with the one word OK.'

/**
 * `amber provider test [NAME]`: sends one small question, once, and says what came of it, how long it took, and what
 * to do where it failed. Gives 0, 1 when the provider failed, 3 when it cannot be asked as configured.
 */
export function test(
  options: { readonly name?: string; readonly json?: boolean },
  context: CliContext,
): Promise<number> {
  const { io, clock } = context
  return withProviders(context, async (app, signal) => {
    const connected = await checkNamed(app, context, options.name)
      .then(() => app.connect(flagsOf(context, options.name), { interactive: true, attempts: 1 }))
      .then(
        (connection) => ({ connection }),
        (thrown: unknown) => {
          if (options.json && thrown instanceof AmberError) return { failed: thrown }
          throw thrown
        },
      )
    if ('failed' in connected) {
      const { code, message, hint } = connected.failed
      const error = { kind: code, message, hint }
      io.out.write(`${JSON.stringify({ provider: options.name ?? null, ok: false, error }, null, 2)}\n`)
      return code === 'failed' ? EXIT.failed : EXIT.configuration
    }
    const { connection } = connected
    for (const notice of connection.selected.notices) io.err.write(`${sanitiseText(notice)}\n`)
    const trial = await tryOut(connection, clock, signal)
    const error = await explain(trial, connection, signal)
    if (options.json) io.out.write(`${JSON.stringify(shape(connection, trial, error), null, 2)}\n`)
    else if (error === undefined) io.out.write(success(connection, trial))
    else io.err.write(`error: ${sanitiseText(error.message)}\n${sanitiseText(error.hint)}\n`)
    if (error === undefined) return EXIT.done
    return error.kind === 'cancelled' ? EXIT.interrupted : EXIT.failed
  })
}

async function tryOut({ client }: Connection, clock: Clock, signal: AbortSignal): Promise<Trial> {
  const started = clock.monotonic()
  let firstMs: number | undefined
  const completion = await client.chat(
    { messages: [{ role: 'user', text: QUESTION }], tools: [], stream: true },
    {
      signal,
      onChunk(chunk) {
        if (chunk.type !== 'end') firstMs ??= clock.monotonic() - started
      },
      onRetry() {},
    },
  )
  return { completion, tookMs: clock.monotonic() - started, firstMs }
}

/** What is wrong and what to do, with the time that it took; undefined when nothing is. */
async function explain(
  { completion, tookMs }: Trial,
  connection: Connection,
  signal: AbortSignal,
): Promise<TurnError | undefined> {
  const error = completionError(completion)
  if (error === undefined) return undefined
  const message = `${error.message} It took ${duration(tookMs)}.`
  const near = error.kind === 'not-found' ? await nearestModel(connection, signal) : ''
  return { ...error, message, hint: near === '' ? error.hint : `${near} ${error.hint}` }
}

/** The models that a misspelt name most likely meant, from the server's own list. */
async function nearestModel(connection: Connection, signal: AbortSignal): Promise<string> {
  const listed = await connection.listModels(signal)
  if (listed.kind === 'failed') return ''
  return didYouMean(
    connection.selected.model,
    listed.models.map(({ id }) => id),
  )
}

function success({ selected }: Connection, { completion, tookMs, firstMs }: Trial): string {
  const { provider, model } = selected
  const first = firstMs === undefined ? '' : `, the first word after ${duration(firstMs)}`
  const said = sanitiseLine(completion.message.text).slice(0, 200)
  const answer = said === '' ? 'The answer was empty; the connection works.' : `It said: ${said}`
  return sanitiseText(`${provider} (model ${model}) answered in ${duration(tookMs)}${first}.\n${answer}\n`)
}

function shape({ selected, apiBase }: Connection, trial: Trial, error: TurnError | undefined) {
  const { completion, tookMs, firstMs } = trial
  return {
    provider: selected.provider,
    model: selected.model,
    flavor: selected.flavor,
    // An address may carry a key in its query (PRO-13).
    apiBase: apiBase.replace(/[?#].*$/, ''),
    ok: error === undefined,
    tookMs: Math.round(tookMs),
    ...(firstMs === undefined ? {} : { firstMs: Math.round(firstMs) }),
    text: completion.message.text,
    ...(completion.usage === undefined ? {} : { usage: completion.usage }),
    ...(error === undefined ? {} : { error }),
  }
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
