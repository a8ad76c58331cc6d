import type { Dialect, DialectConfig, LlmError, ModelInfo } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import { classifyResponse } from './errors.ts'
import type { Transport } from './transport.ts'
import { originOf } from './url.ts'

/** What a server lists, or why it lists nothing. */
export type ListedModels =
  | { readonly kind: 'models'; readonly models: readonly ModelInfo[] }
  | { readonly kind: 'failed'; readonly error: LlmError }

const MAX_LIST_BYTES = 32 * 1024 * 1024
const LIST_MS = 20_000

/** Asks a provider for its models: one GET, 20 s unless said, no retry. Never rejects. */
export async function listModels(
  deps: { readonly transport: Transport; readonly dialect: Dialect; readonly clock: Clock },
  config: DialectConfig & { readonly provider: string; readonly keyEnv?: string },
  { signal, totalMs = LIST_MS }: { readonly signal: AbortSignal; readonly totalMs?: number },
): Promise<ListedModels> {
  const url = deps.dialect.modelsUrl(config)
  if (url === '') return { kind: 'models', models: [] }
  const headers = { accept: 'application/json', ...deps.dialect.authHeaders(config) }
  const answer = await deps.transport.send({ method: 'GET', url, headers, signal, totalMs })
  if (answer.kind === 'failed') return answer
  const body = await answer.response.text(MAX_LIST_BYTES)
  if (body.kind === 'failed') return body
  if (answer.response.status === 200)
    return { kind: 'models', models: deps.dialect.parseModelList(body.text) }
  const endpoint = {
    provider: config.provider,
    model: config.model,
    origin: originOf(config.apiBase),
    ...(config.keyEnv === undefined ? {} : { keyEnv: config.keyEnv }),
  }
  const { status } = answer.response
  const { error } = classifyResponse(
    { status, body: body.text, header: (name) => answer.response.header(name) },
    { endpoint, dialect: deps.dialect, secrets: [config.apiKey], now: deps.clock.now() },
  )
  return { kind: 'failed', error }
}
