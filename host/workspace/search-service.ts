import type { SearchAnswer, SearchService, WorkspaceService } from '../../sdk/index.ts'
import type { InstalledSearchBackend, Snapshot } from '../registry/snapshot.ts'

/** Hits of one answer, whatever was asked for. */
const MAX_HITS = 2000

/**
 * Searching through whichever backends are enabled at the moment of the call (contract SEA-1): reads the snapshot
 * anew each time, so a toggle or a swap counts at once. Every failure is an answer that says what to do.
 */
export function createSearchService(deps: {
  readonly snapshot: () => Pick<Snapshot, 'searchBackends' | 'unavailable'>
  readonly workspace: WorkspaceService
}): SearchService {
  const { snapshot, workspace } = deps
  return {
    modes: async () => [...snapshot().searchBackends.keys()],
    async search(request, call) {
      const backend = findBackend(snapshot(), request.mode)
      if ('error' in backend) return failed(backend.error)
      const malformed = checkText(request)
      if (malformed) return failed(malformed)
      const place = await workspace.locate(request.path ?? '.')
      if (!place.ok) return failed(place.error)
      if (place.kind === 'missing') return failed(`There is no ${JSON.stringify(request.path)} to search in.`)
      if (place.kind === 'other') return failed(`${place.relative} is neither a file nor a folder.`)
      const query = {
        pattern: request.pattern,
        path: place.path,
        root: await workspace.root(),
        glob: request.glob || undefined,
        max: Math.min(MAX_HITS, Math.max(1, Math.floor(request.max) || 1)),
      }
      return settle(backend, query, call)
    },
  }
}

/** The backend of a mode, or whose it would be, or which there are. */
function findBackend(
  snapshot: Pick<Snapshot, 'searchBackends' | 'unavailable'>,
  mode: string,
): InstalledSearchBackend | { readonly error: string } {
  const backend = snapshot.searchBackends.get(mode)
  if (backend) return backend
  const gone = snapshot.unavailable.get(`searchBackend:${mode}`)
  if (gone) {
    return {
      error: `The search mode ${JSON.stringify(mode)} belongs to the plugin ${gone.plugin}, which ${gone.why}. To have it: ${gone.remedy}`,
    }
  }
  const modes = [...snapshot.searchBackends.keys()]
  const enabled = modes.length > 0 ? `Enabled: ${modes.join(', ')}.` : 'No search mode is enabled.'
  return { error: `There is no search mode ${JSON.stringify(mode)}. ${enabled}` }
}

function checkText(request: { readonly pattern: string; readonly glob?: string }): string | undefined {
  if (request.pattern === '') return 'The pattern is empty. Say what to search for.'
  if (request.pattern.includes('\0') || request.glob?.includes('\0')) {
    return 'A NUL character can not be searched for: leave it out of pattern and glob.'
  }
  return undefined
}

async function settle(
  backend: InstalledSearchBackend,
  query: Parameters<InstalledSearchBackend['search']>[0],
  call: { readonly signal: AbortSignal },
): Promise<SearchAnswer> {
  const outcome = await backend.search(query, call)
  if (outcome.kind === 'declined') return failed(`The plugin ${backend.plugin} declined: ${outcome.why}`)
  if (outcome.kind === 'fault') {
    const { message, hint } = outcome.fault.diagnostic
    return failed(
      `The plugin ${backend.plugin} failed in mode ${backend.mode}: ${message}${hint ? ` (${hint})` : ''}`,
    )
  }
  const answer = outcome.value
  if (!answer.ok || answer.hits.length <= query.max) return answer
  return { ...answer, hits: answer.hits.slice(0, query.max), truncated: true }
}

function failed(error: string): SearchAnswer {
  return { ok: false, error }
}
