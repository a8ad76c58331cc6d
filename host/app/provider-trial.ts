import type { Completion } from '../../sdk/index.ts'
import { completionError } from '../agent/finish.ts'
import type { TurnError } from '../agent/turn.ts'
import type { Clock } from '../base/clock.ts'
import { didYouMean } from '../base/nearest.ts'
import { sanitiseLine, sanitiseText } from '../base/sanitise.ts'
import type { Connection } from './connector.ts'

/** What one tiny request came to; times in milliseconds. */
export interface ProviderTrial {
  readonly completion: Completion
  readonly tookMs: number
  /** Until the first word; undefined when there was none. */
  readonly firstMs: number | undefined
}

const QUESTION = 'Answer with the one word OK.'

/** Sends one small question, once. Never rejects. */
export async function tryProvider(
  { client }: Connection,
  clock: Clock,
  signal: AbortSignal,
): Promise<ProviderTrial> {
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
export async function explainTrial(
  { completion, tookMs }: ProviderTrial,
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

/** The trial that went well, in two lines. */
export function trialText({ selected }: Connection, { completion, tookMs, firstMs }: ProviderTrial): string {
  const { provider, model } = selected
  const first = firstMs === undefined ? '' : `, the first word after ${duration(firstMs)}`
  const said = sanitiseLine(completion.message.text).slice(0, 200)
  const answer = said === '' ? 'The answer was empty; the connection works.' : `It said: ${said}`
  return sanitiseText(`${provider} (model ${model}) answered in ${duration(tookMs)}${first}.\n${answer}\n`)
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
