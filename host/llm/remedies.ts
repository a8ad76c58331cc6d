import type { LlmError } from '../../sdk/index.ts'

/** Which provider a request went to, for messages. */
export interface Endpoint {
  readonly provider: string
  readonly model: string
  /** Scheme, host and port; never a path or a query, which may hold a key. */
  readonly origin: string
  /** The environment variable that holds the key, when one is known. */
  readonly keyEnv?: string
}

/** What is known of one failure. */
export interface Told {
  readonly endpoint: Endpoint
  readonly status: number | undefined
  /** The server's own sentence; `''` when it said nothing. */
  readonly said: string
}

const LEADS: Readonly<Record<LlmError['kind'], string>> = {
  auth: 'refused the key',
  quota: 'says that the account has no credit or quota left',
  'rate-limit': 'is limiting requests',
  overloaded: 'is overloaded',
  'context-overflow': 'says that the conversation is longer than the model can read',
  'not-found': 'does not know this model or address',
  'bad-request': 'rejected the request',
  server: 'failed',
  network: 'cannot be reached',
  stalled: 'stopped answering',
  cancelled: 'was cancelled',
  protocol: 'sent an answer that cannot be read',
}

/** One sentence: who did what, and what the server said. */
export function headline(kind: LlmError['kind'], { endpoint, status, said }: Told): string {
  const lead = `${endpoint.provider} ${LEADS[kind]}`
  const code = status === undefined ? '' : ` (HTTP ${status})`
  return said === '' ? `${lead}${code}.` : `${lead}${code}: ${said}`
}

/** One sentence that names what to do about it. */
export function remedy(kind: LlmError['kind'], told: Told): string {
  const { endpoint, said } = told
  switch (kind) {
    case 'auth':
      return `Check the key of ${endpoint.provider}: ${keyPlace(endpoint)}.`
    case 'quota':
      return `Add credit or raise the limit in the billing page of ${endpoint.provider}, or choose another provider with --provider.`
    case 'rate-limit':
      return told.status === 413
        ? 'The request is larger than the limit allows: shorten the conversation with /compress, or choose a model with a higher limit.'
        : 'Wait a little and send it again, or choose another model with --model.'
    case 'overloaded':
      return 'Send it again in a minute, or choose another model with --model.'
    case 'context-overflow':
      return 'Shorten the conversation with /compress, or start a new one with /new.'
    case 'not-found':
      return `See the models with \`amber provider models ${endpoint.provider}\`, and check the API base ${endpoint.origin}.`
    case 'bad-request':
      return badRequestRemedy(said, endpoint)
    case 'server':
      return 'Send it again; if it goes on, the provider has a fault of its own: see its status page.'
    default:
      return `Check the network and the API base ${endpoint.origin}.`
  }
}

function keyPlace({ keyEnv, provider }: Endpoint): string {
  const file = `\`amber provider add ${provider}\``
  return keyEnv === undefined
    ? `set it with ${file}, or in AMBER_API_KEY`
    : `set it in ${keyEnv}, or with ${file}`
}

function badRequestRemedy(said: string, endpoint: Endpoint): string {
  if (said.includes('--jinja')) return 'Start llama.cpp with --jinja: without it the server cannot use tools.'
  if (/unsupported parameter/i.test(said)) {
    return 'This model does not take one of the settings: change it with /set, or choose another model with --model.'
  }
  if (/tool/i.test(said))
    return 'Send it again, or choose a model that is better at calling tools with --model.'
  return `Check the model ${endpoint.model} and the settings of ${endpoint.provider}.`
}
