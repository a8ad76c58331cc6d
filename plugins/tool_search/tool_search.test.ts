import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeclined, type SearchAnswer, type SearchService } from 'amber-agent/sdk'
import { callHandler, createTestPluginHost, testCall } from '../../test/support/plugin-host.ts'
import toolSearch from './index.ts'
import { searchWorkspace } from './search-workspace.ts'
import { showHits } from './show-hits.ts'

const asked = { pattern: 'emptyCart', mode: 'grep' }

function serviceOf(answer: SearchAnswer, seen: unknown[] = []): SearchService {
  return {
    modes: async () => ['grep'],
    async search(request) {
      seen.push(request)
      return answer
    },
  }
}

test('TOOL-2 search answers a status line, hits by file and an end mark', async () => {
  const answer: SearchAnswer = {
    ok: true,
    hits: [
      { path: 'src/cart.ts', line: 12, text: 'export function emptyCart() {' },
      { path: 'src/cart.ts', line: 40, text: '  emptyCart()' },
      { path: 'src/shop.ts', line: 7, text: "import { emptyCart } from './cart.ts'" },
    ],
    truncated: false,
    total: 3,
  }
  const seen: unknown[] = []
  const args = { pattern: 'emptyCart', path: 'src' }
  const result = await searchWorkspace(serviceOf(answer, seen), args, testCall())
  assert.deepEqual(seen, [{ pattern: 'emptyCart', path: 'src', mode: 'grep', max: 200 }])
  assert.deepEqual(result, {
    ok: true,
    output: [
      '3 matches in 2 files for "emptyCart" in src, mode grep:',
      'src/cart.ts:12: export function emptyCart() {',
      'src/cart.ts:40:   emptyCart()',
      '',
      "src/shop.ts:7: import { emptyCart } from './cart.ts'",
      '[end of matches]',
    ].join('\n'),
    meta: { mode: 'grep', shown: 3, total: 3, truncated: false },
  })
})

test('TOOL-2 search that finds nothing says so, and is no error', async () => {
  const empty: SearchAnswer = {
    ok: true,
    hits: [],
    truncated: false,
    total: 0,
    note: '1 path could not be read',
  }
  const args = { pattern: 'emptyCart', glob: '*.ts' }
  const result = await searchWorkspace(serviceOf(empty), args, testCall())
  assert.equal(result.ok, true)
  assert.equal(
    result.output,
    'No matches for "emptyCart" in the workspace, files *.ts, mode grep (1 path could not be read).\n[end of matches]',
  )
})

test('TOOL-8 search says how many matches there are beyond those shown', () => {
  const hits = [
    { path: 'a', line: 1, text: 'x' },
    { path: 'b', line: 1, text: 'x' },
  ]
  const known = showHits({ ok: true, hits, truncated: true, total: 90 }, asked).text
  assert.match(known, /^2 of 90 matches, in 2 files, for /)
  assert.match(known, /\n\[there are more matches: narrow the pattern, path or glob\]$/)
  assert.match(
    showHits({ ok: true, hits, truncated: true }, asked).text,
    /^The first 2 matches, in 2 files, for /,
  )
  assert.match(
    showHits({ ok: true, hits: [], truncated: true }, asked).text,
    /\[the search was not complete\]$/,
  )
})

test('TOOL-8 search keeps below the cap of a result, whatever a backend answers', () => {
  const hits = Array.from({ length: 2000 }, (_, at) => ({ path: 'a', line: at + 1, text: '😀'.repeat(700) }))
  const { text, shown } = showHits({ ok: true, hits, truncated: false, total: 2000 }, asked)
  assert.ok(Buffer.byteLength(text) < 65_536)
  assert.match(text, new RegExp(`^${shown} of 2000 matches`))
  assert.match(text, /\[there are more matches/)
  assert.ok(!/[\ud800-\udbff](?![\udc00-\udfff])/.test(text))
})

test('TOOL-8 a hit stays on its line', () => {
  const hits = [{ path: 'a', line: 1, text: 'one\r\ntwo' }]
  assert.match(showHits({ ok: true, hits, truncated: false }, asked).text, /\na:1: one two\n\[end/)
})

test('TOOL-3 search hands a backend’s error on', async () => {
  const error = 'There is no search mode "fuzzy". Enabled: grep.'
  assert.deepEqual(
    await searchWorkspace(serviceOf({ ok: false, error }), { pattern: 'x', mode: 'fuzzy' }, testCall()),
    {
      ok: false,
      error,
    },
  )
})

test('TOOL-1 search summarises a call as pattern and place', async () => {
  const services = { search: serviceOf({ ok: true, hits: [], truncated: false }) }
  const host = createTestPluginHost({ id: 'tool_search', services })
  const summarize = await callHandler(toolSearch, host, ['tools', 'search', 'summarize'])
  assert.equal(summarize({ pattern: 'emptyCart', path: 'src' }), '"emptyCart" in src')
  assert.equal(summarize({ pattern: 'emptyCart' }), '"emptyCart"')
})

test('LED-3 search declines where there is no search service', async () => {
  const entry = await toolSearch.factory(createTestPluginHost({ id: 'tool_search' }))
  assert.ok(typeof entry === 'object' && entry !== null)
  assert.ok(isDeclined(Reflect.get(Reflect.get(entry, 'tools'), 'search')))
})
