/** What came of a request: the body, or why there is none. Bodies are of the server that also served this page. */
export type Reply<Body> =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly status: number; readonly message: string; readonly hint: string }

/** The interface of the dev server. No call rejects but for an abort, which answers as a lost connection. */
export interface Api {
  get<Body>(path: string, signal?: AbortSignal): Promise<Reply<Body>>
  post<Body>(path: string, body: unknown, options?: PostOptions): Promise<Reply<Body>>
  /** The open stream of events. */
  events(lastId: string | undefined, signal: AbortSignal): Promise<Response>
}

/** How a POST is made. */
export interface PostOptions {
  readonly signal?: AbortSignal
  /** The developer approves this very call. */
  readonly approve?: boolean
}

/** Makes the interface for one token. */
export function createApi(token: string): Api {
  const ask = async <Body>(path: string, init: RequestInit): Promise<Reply<Body>> => {
    try {
      const response = await fetch(`/api/${path}`, init)
      const body = await response.json()
      if (response.ok) return { ok: true, body }
      return { ok: false, status: response.status, message: body.error.message, hint: body.error.hint }
    } catch {
      return {
        ok: false,
        status: 0,
        message: 'the dev server does not answer',
        hint: 'is amber dev still running?',
      }
    }
  }
  const headers = { 'x-amber-token': token }
  return {
    get: (path, signal) => ask(path, { headers, ...(signal ? { signal } : {}) }),
    post: (path, body, { signal, approve = false } = {}) =>
      ask(path, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          ...(approve ? { 'x-amber-approve': 'once' } : {}),
        },
        body: JSON.stringify(body),
        ...(signal ? { signal } : {}),
      }),
    events: (lastId, signal) =>
      fetch('/api/events', {
        headers: { ...headers, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
        signal,
      }),
  }
}
