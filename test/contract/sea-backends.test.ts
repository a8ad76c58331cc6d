import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { fillChoices } from '../../host/registry/dynamic-choices.ts'
import type { InstalledSearchBackend, InstalledSkill, UnavailableName } from '../../host/registry/snapshot.ts'
import { createSearchService } from '../../host/workspace/search-service.ts'
import { createWorkspaceService } from '../../host/workspace/workspace-service.ts'
import toolSearchManifest from '../../plugins/tool_search/plugin.json' with { type: 'json' }
import type { SearchAnswer, SearchQuery } from '../../sdk/index.ts'
import { createTempTree } from '../support/temp-tree.ts'

const call = { signal: new AbortController().signal }

function backendOf(
  mode: string,
  search: (query: SearchQuery) => Promise<SearchAnswer> = async () => ({
    ok: true,
    hits: [],
    truncated: false,
  }),
): InstalledSearchBackend {
  return {
    mode,
    plugin: `search_${mode}`,
    search: async (query) => ({ kind: 'value', value: await search(query) }),
  }
}

function snapshotOf(
  backends: readonly InstalledSearchBackend[],
  unavailable: Readonly<Record<string, UnavailableName>> = {},
) {
  return {
    searchBackends: new Map(backends.map((one) => [one.mode, one])),
    unavailable: new Map(Object.entries(unavailable)),
    skills: new Map<string, InstalledSkill>(),
  }
}

const SWITCHED_OFF: UnavailableName = {
  plugin: 'search_semantic',
  why: 'is switched off',
  remedy: '/set plugin on search_semantic',
}

function errorOf(answer: SearchAnswer): string {
  assert.equal(answer.ok, false)
  return answer.ok ? '' : answer.error
}

test('SEA-1 the mode of a disabled plugin fails naming plugin and command', async () => {
  const snapshot = snapshotOf([backendOf('grep')], { 'searchBackend:semantic': SWITCHED_OFF })
  const service = createSearchService({
    snapshot: () => snapshot,
    workspace: createWorkspaceService({ workspace: '.' }),
  })
  const error = errorOf(await service.search({ pattern: 'x', mode: 'semantic', max: 10 }, call))
  assert.match(error, /"semantic" belongs to the plugin search_semantic, which is switched off/)
  assert.match(error, /\/set plugin on search_semantic/)
})

test('SEA-1 an unknown mode lists the enabled ones, as they are at that moment', async () => {
  let snapshot = snapshotOf([backendOf('grep'), backendOf('semantic')])
  const service = createSearchService({
    snapshot: () => snapshot,
    workspace: createWorkspaceService({ workspace: '.' }),
  })
  const ask = async () => errorOf(await service.search({ pattern: 'x', mode: 'fuzzy', max: 10 }, call))
  assert.equal(await ask(), 'There is no search mode "fuzzy". Enabled: grep, semantic.')
  assert.deepEqual(await service.modes(), ['grep', 'semantic'])
  snapshot = snapshotOf([backendOf('semantic')])
  assert.equal(await ask(), 'There is no search mode "fuzzy". Enabled: semantic.')
  snapshot = snapshotOf([])
  assert.equal(await ask(), 'There is no search mode "fuzzy". No search mode is enabled.')
  assert.deepEqual(await service.modes(), [])
})

test('SAFE-1 a search is confined, and its backend gets real paths', async (t) => {
  const folder = await createTempTree(t, {
    'ws/src/a': '',
    'ws/in': { link: 'src' },
    'ws/out': { link: '/etc' },
  })
  const asked: SearchQuery[] = []
  const snapshot = snapshotOf([
    backendOf('grep', async (query) => {
      asked.push(query)
      return { ok: true, hits: [], truncated: false }
    }),
  ])
  const workspace = createWorkspaceService({ workspace: join(folder, 'ws') })
  const service = createSearchService({ snapshot: () => snapshot, workspace })
  const search = (path: string) =>
    service.search({ pattern: 'x', path, mode: 'grep', max: 7, glob: '' }, call)
  for (const path of ['out', 'out/passwd', '..', '/etc']) {
    assert.match(errorOf(await search(path)), /outside the workspace/)
  }
  assert.match(errorOf(await search('nothing')), /"nothing"/)
  assert.equal((await search('in')).ok, true)
  const root = join(folder, 'ws')
  assert.deepEqual(asked, [{ pattern: 'x', path: join(root, 'src'), root, glob: undefined, max: 7 }])
})

test('TOOL-4 a pattern that no file can hold is refused before any backend sees it', async () => {
  const snapshot = snapshotOf([
    backendOf('grep', async () => {
      throw new Error('reached')
    }),
  ])
  const service = createSearchService({
    snapshot: () => snapshot,
    workspace: createWorkspaceService({ workspace: '.' }),
  })
  assert.match(errorOf(await service.search({ pattern: '', mode: 'grep', max: 1 }, call)), /pattern is empty/)
  assert.match(errorOf(await service.search({ pattern: 'a\0b', mode: 'grep', max: 1 }, call)), /NUL/)
  const request = { pattern: 'a', glob: '*\0', mode: 'grep', max: 1 }
  assert.match(errorOf(await service.search(request, call)), /NUL/)
})

test('TOOL-3 a backend that faults or declines is an error result that names its plugin', async () => {
  const faulty: InstalledSearchBackend = {
    ...backendOf('faulty'),
    search: async () => ({
      kind: 'fault',
      fault: {
        plugin: 'search_faulty',
        label: 'search backend faulty',
        reason: 'threw',
        diagnostic: {
          severity: 'error',
          code: 'AMB4001',
          file: '/x/index.ts',
          line: 1,
          column: 1,
          path: '',
          message: 'boom',
          hint: 'mend it',
        },
      },
    }),
  }
  const declining: InstalledSearchBackend = {
    ...backendOf('shy'),
    search: async () => ({ kind: 'declined', why: 'no index here' }),
  }
  const snapshot = snapshotOf([faulty, declining])
  const service = createSearchService({
    snapshot: () => snapshot,
    workspace: createWorkspaceService({ workspace: '.' }),
  })
  assert.equal(
    errorOf(await service.search({ pattern: 'x', mode: 'faulty', max: 1 }, call)),
    'The plugin search_faulty failed in mode faulty: boom (mend it)',
  )
  assert.match(
    errorOf(await service.search({ pattern: 'x', mode: 'shy', max: 1 }, call)),
    /search_shy .*no index here/,
  )
})

test('TOOL-8 a backend that answers more than was asked for is cut', async () => {
  const hits = Array.from({ length: 20 }, (_, at) => ({ path: 'a', line: at + 1, text: 'x' }))
  const snapshot = snapshotOf([backendOf('grep', async () => ({ ok: true, hits, truncated: false }))])
  const service = createSearchService({
    snapshot: () => snapshot,
    workspace: createWorkspaceService({ workspace: '.' }),
  })
  const answer = await service.search({ pattern: 'x', mode: 'grep', max: 5 }, call)
  assert.ok(answer.ok)
  assert.deepEqual([answer.hits.length, answer.truncated], [5, true])
})

test('SEA-1 the description of mode lists the enabled ones on every request', () => {
  const parameters = toolSearchManifest.capabilities.tools[0]?.parameters
  assert.ok(parameters)
  const modeOf = (filled: Readonly<Record<string, unknown>>): unknown =>
    typeof filled.properties === 'object' && filled.properties !== null
      ? Reflect.get(filled.properties, 'mode')
      : undefined
  const two = snapshotOf([backendOf('grep'), backendOf('semantic')])
  assert.deepEqual(modeOf(fillChoices(parameters, two)), {
    type: 'string',
    description: 'How to search. Default: grep. Enabled: grep, semantic.',
    enum: ['grep', 'semantic'],
  })
  assert.deepEqual(modeOf(fillChoices(parameters, snapshotOf([]))), {
    type: 'string',
    description: 'How to search. Default: grep. None is enabled now.',
  })
  assert.ok('x-amber-choices-from' in parameters.properties.mode, 'the manifest itself is untouched')
})

test('PRM-3 choices give the same bytes for the same snapshot, and the same object without an annotation', () => {
  const annotated = {
    type: 'object',
    properties: { mode: { 'x-amber-choices-from': 'searchBackends' }, n: {} },
  }
  const one = fillChoices(annotated, snapshotOf([backendOf('grep')]))
  assert.equal(JSON.stringify(one), JSON.stringify(fillChoices(annotated, snapshotOf([backendOf('grep')]))))
  assert.deepEqual(Object.keys(Object(one.properties)), ['mode', 'n'])
  for (const plain of [
    { type: 'object', properties: { path: { type: 'string' } } },
    {},
    { properties: [] },
  ]) {
    assert.equal(fillChoices(plain, snapshotOf([])), plain)
  }
  const unknown = { properties: { a: { 'x-amber-choices-from': 'toString', type: 'string' } } }
  assert.deepEqual(fillChoices(unknown, snapshotOf([])), { properties: { a: { type: 'string' } } })
})
