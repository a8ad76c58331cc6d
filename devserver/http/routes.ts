import type { Answer } from './answer.ts'

/** A request to the interface, with everything about it checked but its meaning. */
export interface ApiRequest {
  /** The variable parts of the path. */
  readonly parameters: readonly string[]
  readonly query: URLSearchParams
  /** The body of a POST, parsed. */
  readonly body: unknown
  /** Whether the developer approves this very call (`x-amber-approve: once`). */
  readonly approved: boolean
  /** Aborted when the client has gone, or the server stops. */
  readonly signal: AbortSignal
}

/** One thing that can be asked. `*` in a path stands for one part of it. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: readonly string[]
  handle(request: ApiRequest): Promise<Answer> | Answer
}

/** What a path leads to. */
export type Found =
  | { readonly kind: 'found'; readonly route: Route; readonly parameters: readonly string[] }
  | { readonly kind: 'nowhere' }
  | { readonly kind: 'method'; readonly allow: string }

/** Finds the route of a path below `/api/`. Every part is decoded once, and is never a path on the disk. */
export function findRoute(routes: readonly Route[], method: string, path: string): Found {
  const parts = decode(path)
  if (parts === undefined) return { kind: 'nowhere' }
  const fitting = routes.filter((one) => fits(one.path, parts))
  const route = fitting.find((one) => one.method === method)
  if (route)
    return { kind: 'found', route, parameters: parts.filter((_, index) => route.path[index] === '*') }
  if (fitting.length === 0) return { kind: 'nowhere' }
  return { kind: 'method', allow: [...new Set(fitting.map((one) => one.method))].join(', ') }
}

function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.length === parts.length && pattern.every((one, index) => one === '*' || one === parts[index])
}

function decode(path: string): readonly string[] | undefined {
  try {
    const parts = path.split('/').map(decodeURIComponent)
    return parts.every((part) => part !== '' && !/[\0-\x1f/\\]/.test(part)) ? parts : undefined
  } catch {
    return undefined
  }
}
