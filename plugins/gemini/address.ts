import type { DialectConfig } from 'amber-agent/sdk'

/** `{base}/v1beta/models/{model}:generateContent`, or its streaming twin: the call decides, no setting (bundled-plugins 4). */
export function chatUrl({ apiBase, model }: DialectConfig, stream: boolean): string {
  const path = modelPath(model)
  return stream
    ? versioned(apiBase, `${path}:streamGenerateContent`, 'alt=sse')
    : versioned(apiBase, `${path}:generateContent`, '')
}

/** `{base}/v1beta/models`. */
export function modelsUrl({ apiBase }: DialectConfig): string {
  return versioned(apiBase, 'models', '')
}

/** The key; no header without one (PRO-13). */
export function authHeaders({ apiKey }: DialectConfig): Readonly<Record<string, string>> {
  const key = apiKey.trim()
  return key === '' ? {} : { 'x-goog-api-key': key }
}

/** A model may be named as the list names it, `models/NAME` or `tunedModels/NAME`. */
function modelPath(model: string): string {
  const path = model.includes('/') ? model : `models/${model}`
  return path.split('/').map(encodeURIComponent).join('/')
}

function versioned(base: string, path: string, query: string): string {
  const at = base.search(/[?#]/)
  const address = (at === -1 ? base : base.slice(0, at)).trim().replace(/\/+$/, '')
  if (address === '') return ''
  const own = at === -1 ? '' : base.slice(at + 1).trim()
  const queries = [own, query].filter((part) => part !== '').join('&')
  const whole = `${address}${/\/v\d+[a-z0-9]*$/.test(address) ? '' : '/v1beta'}/${path}`
  return queries === '' ? whole : `${whole}?${queries}`
}
