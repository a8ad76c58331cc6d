import type { SearchAnswer } from '../../sdk/index.ts'
import { invoke, mustHave } from './handler.ts'
import { byName, type KindDefinition } from './kind.ts'

/** A search may walk a large tree; longer than this it is stuck. Milliseconds. */
const SEARCH_DEADLINE_MS = 60_000

/** Search backends, by mode (SEA-1). */
export const searchBackend: KindDefinition<'searchBackend'> = {
  field: 'searchBackends',
  title: 'search backend',
  declare: (manifest) =>
    manifest.capabilities.searchBackends.map((declared) => ({
      kind: 'searchBackend',
      name: declared.mode,
      declared,
      requires: declared.requires,
      files: [],
      handlers: [{ path: ['searchBackends', declared.mode], optional: false, check: mustHave('search') }],
      claims: [`searchBackend:${declared.mode}`],
    })),
  install: ({ declared, plugin, code }) => [
    {
      mode: declared.mode,
      plugin,
      search: (query, call) =>
        code.run(
          `search backend ${declared.mode}`,
          async (entry) =>
            readAnswer(
              await invoke(entry, ['searchBackends', declared.mode], {
                method: 'search',
                args: [query, call],
              }),
            ),
          { signal: call.signal, deadlineMs: SEARCH_DEADLINE_MS },
        ),
    },
  ],
  combine: (installed) => byName(installed, (one) => one.mode),
}

function readAnswer(value: unknown): SearchAnswer {
  if (typeof value !== 'object' || value === null || !('ok' in value))
    throw new TypeError('answered no search result')
  if (value.ok !== true) {
    const error = 'error' in value && typeof value.error === 'string' ? value.error : 'the search failed'
    return { ok: false, error }
  }
  if (!('hits' in value) || !Array.isArray(value.hits)) throw new TypeError('answered no list of hits')
  const hits = value.hits.flatMap((hit: unknown) => (isHit(hit) ? [hit] : []))
  return {
    ok: true,
    hits,
    truncated: 'truncated' in value && value.truncated === true,
    ...('total' in value && typeof value.total === 'number' ? { total: value.total } : {}),
    ...('note' in value && typeof value.note === 'string' ? { note: value.note } : {}),
  }
}

function isHit(hit: unknown): hit is { readonly path: string; readonly line: number; readonly text: string } {
  return (
    typeof hit === 'object' &&
    hit !== null &&
    'path' in hit &&
    typeof hit.path === 'string' &&
    'line' in hit &&
    typeof hit.line === 'number' &&
    'text' in hit &&
    typeof hit.text === 'string'
  )
}
