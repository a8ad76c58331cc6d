import type { Dialect } from '../../sdk/index.ts'
import { AmberError } from '../base/errors.ts'
import type { Outcome } from '../base/outcome.ts'
import {
  type ChatClientConfig,
  type ChatClientDeps,
  createChatClient,
  type LearningChatClient,
} from './client.ts'
import { openAiDialect } from './openai/dialect.ts'
import type { SelectedProvider } from './select.ts'

/** A client of the selected provider, or the error of code `configuration` that says what its plugin did. */
export type Connected =
  | { readonly kind: 'connected'; readonly client: LearningChatClient; readonly endpoint: ConnectedEndpoint }
  | { readonly kind: 'problem'; readonly error: AmberError }

/** Where the client speaks to, for model lists and accounts. */
export interface ConnectedEndpoint {
  readonly dialect: Dialect
  readonly apiBase: string
  readonly apiKey: string
}

/**
 * Makes the client of a selection: starts the provider's own server where it has one, and resolves the protocol, once
 * (PRO-4). Sends nothing. Never rejects.
 */
export async function connectProvider(
  selected: SelectedProvider,
  deps: Omit<ChatClientDeps, 'dialect'>,
  options: Pick<
    ChatClientConfig,
    'reasoningEffort' | 'maxOutputTokens' | 'retryPartial' | 'retry' | 'contextWindow'
  > = {},
): Promise<Connected> {
  const [started, spoken] = await Promise.all([selected.start?.(), selected.dialect?.dialect()])
  const apiBase = started === undefined ? selected.apiBase : settledValue(started)?.apiBase
  if (apiBase === undefined) return problem(selected.provider, 'its server does not start', started)
  const dialect = spoken === undefined ? openAiDialect : settledValue(spoken)
  if (dialect === undefined) return problem(selected.provider, 'its protocol does not load', spoken)
  const contextWindow = selected.contextWindow ?? options.contextWindow
  const client = createChatClient(
    { ...deps, dialect },
    {
      ...options,
      provider: selected.provider,
      model: selected.model,
      apiBase,
      apiKey: selected.apiKey,
      mergeSystem: selected.mergeSystem,
      ...(selected.keyEnv === undefined ? {} : { keyEnv: selected.keyEnv }),
      ...(contextWindow === undefined ? {} : { contextWindow }),
    },
  )
  return { kind: 'connected', client, endpoint: { dialect, apiBase, apiKey: selected.apiKey } }
}

function settledValue<Value>(outcome: Outcome<Value>): Value | undefined {
  return outcome.kind === 'value' ? outcome.value : undefined
}

function problem(provider: string, what: string, outcome: Outcome<unknown> | undefined): Connected {
  const why =
    outcome?.kind === 'fault'
      ? `: ${outcome.fault.diagnostic.message}`
      : outcome?.kind === 'declined'
        ? `: ${outcome.why}`
        : ''
  return {
    kind: 'problem',
    error: new AmberError(
      'configuration',
      `The provider ${provider} cannot be used, because ${what}${why}.`,
      'See amber plugin list, or choose another provider with --provider.',
    ),
  }
}
