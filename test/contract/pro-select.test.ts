import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { AmberError } from '../../host/base/errors.ts'
import { readProviderFiles, removeProviderFile, writeProviderFile } from '../../host/llm/provider-files.ts'
import { listProviders } from '../../host/llm/provider-rows.ts'
import type { ProviderSources } from '../../host/llm/provider-sources.ts'
import { selectProvider } from '../../host/llm/select.ts'
import type { InstalledPreset, UnavailableName } from '../../host/registry/snapshot.ts'

function preset(name: string, more: Partial<InstalledPreset> = {}): InstalledPreset {
  return {
    name,
    plugin: name,
    flavor: 'openai',
    apiBase: `https://${name}.test/v1`,
    defaultModel: `${name}-1`,
    requiresKey: true,
    keyEnv: [`${name.toUpperCase()}_API_KEY`],
    mergeSystem: false,
    start: undefined,
    ...more,
  }
}

const REHEARSAL = preset('rehearsal', {
  apiBase: undefined,
  requiresKey: false,
  keyEnv: [],
  start: async () => ({ kind: 'value', value: { apiBase: 'http://127.0.0.1:1/v1' } }),
})
const CUSTOM = preset('custom', { apiBase: '', defaultModel: '', requiresKey: false, keyEnv: [] })
const PRESETS = [preset('acme'), preset('other'), CUSTOM, REHEARSAL]
const OFF: UnavailableName = { plugin: 'gemini', why: 'is switched off', remedy: 'amber plugin on gemini' }

function sources(
  more: Partial<ProviderSources> & { readonly presets?: readonly InstalledPreset[] } = {},
): ProviderSources {
  const { presets = PRESETS, ...rest } = more
  return {
    flags: {},
    env: {},
    config: {},
    files: new Map(),
    providers: { presets: new Map(presets.map((one) => [one.name, one])), flavors: new Map() },
    unavailable: new Map(),
    ...rest,
  }
}

function resolved(given: ProviderSources, interactive = false) {
  const selection = selectProvider(given, interactive)
  if (selection.kind === 'problem') throw selection.error
  return selection
}

function problem(given: ProviderSources): string {
  const selection = selectProvider(given, false)
  assert.equal(selection.kind, 'problem')
  if (selection.kind !== 'problem') return ''
  assert.equal(selection.error.code, 'configuration')
  return `${selection.error.message}\n${selection.error.hint}`
}

test('PRO-2 with nothing configured the rehearsal is chosen, and says that it is one', () => {
  const selection = resolved(sources())
  assert.equal(selection.provider, 'rehearsal')
  assert.equal(selection.rehearsal, true)
  assert.ok(selection.start)
  assert.equal(resolved(sources({ flags: { provider: 'rehearsal' } })).rehearsal, false)
})

test('PRO-1 with no plugins there is no provider: the list is empty, and a run says so', () => {
  assert.deepEqual(listProviders(sources({ presets: [] })), [])
  assert.match(problem(sources({ presets: [] })), /No provider is configured/)
})

test('PRO-2 a key that is set is never used without being named: headless says which flag to write', () => {
  const env = { ACME_API_KEY: 'k', OTHER_API_KEY: 'k' }
  assert.match(problem(sources({ env })), /ACME_API_KEY.*\n.*--provider acme or --provider other/)
  const offered = resolved(sources({ env }), true)
  assert.equal(offered.provider, 'rehearsal')
  assert.deepEqual(offered.offers, ['acme', 'other'])
  assert.match(problem(sources({ env: { AMBER_API_KEY: 'k' } })), /AMBER_API_KEY/)
  assert.equal(resolved(sources({ env: { ACME_API_KEY: ' ' } })).provider, 'rehearsal')
})

test('PRO-2 a named provider without its key says which variable to set', () => {
  assert.match(problem(sources({ flags: { provider: 'acme' } })), /needs a key.*\n.*ACME_API_KEY/)
  const selection = resolved(sources({ flags: { provider: 'acme' }, env: { ACME_API_KEY: ' k ' } }))
  assert.deepEqual([selection.apiKey, selection.keyEnv], ['k', 'ACME_API_KEY'])
  assert.equal(
    resolved(sources({ flags: { provider: 'acme' }, env: { AMBER_API_KEY: 'a', ACME_API_KEY: 'k' } })).apiKey,
    'a',
  )
})

test('PRO-2 a preset pointed at this machine needs no vendor’s key', () => {
  const local = { provider: 'acme', apiBase: 'http://127.0.0.1:9/v1' }
  assert.equal(resolved(sources({ flags: local })).apiBase, 'http://127.0.0.1:9/v1')
  assert.match(problem(sources({ flags: { ...local, apiBase: 'https://elsewhere.test/v1' } })), /needs a key/)
})

test('PRO-6 flags beat environment, environment beats files, files beat presets', () => {
  const files = new Map([['acme', { model: 'from-file', apiBase: 'https://file.test', apiKey: 'k' }]])
  const config = { provider: 'acme', model: 'from-config' }
  const given = { files, config }
  assert.equal(resolved(sources({ files, config: { provider: 'acme' } })).model, 'from-file')
  assert.equal(resolved(sources(given)).model, 'from-config')
  assert.equal(resolved(sources({ ...given, env: { AMBER_MODEL: 'from-env' } })).model, 'from-env')
  const flags = { model: 'from-flag', apiBase: 'https://flag.test' }
  const selection = resolved(sources({ ...given, env: { AMBER_MODEL: 'from-env' }, flags }))
  assert.deepEqual([selection.model, selection.apiBase], ['from-flag', 'https://flag.test'])
  const env = { AMBER_PROVIDER: 'other', OTHER_API_KEY: 'o' }
  const other = resolved(sources({ ...given, env }))
  assert.deepEqual([other.provider, other.model], ['other', 'other-1'])
})

test('PRO-6 a file alone is enough for an endpoint, and survives its plugin’s being off', () => {
  const files = new Map([
    ['mine', { apiBase: 'https://mine.test/v1', model: 'm', apiKeyEnv: 'MINE_KEY', contextWindow: 8192 }],
  ])
  const selection = resolved(sources({ files, presets: [], env: { MINE_KEY: 'k' } }))
  assert.deepEqual(
    [selection.provider, selection.apiBase, selection.model, selection.apiKey, selection.contextWindow],
    ['mine', 'https://mine.test/v1', 'm', 'k', 8192],
  )
})

test('PRO-6 a file that leaves the address to a preset whose plugin is off names the plugin', () => {
  const files = new Map([['gemini', { model: 'm' }]])
  const unavailable = new Map([['provider:gemini', OFF]])
  assert.match(
    problem(sources({ files, unavailable, flags: { provider: 'gemini' } })),
    /plugin gemini.*\namber plugin on gemini/,
  )
})

test('PRO-2 custom says exactly what is missing', () => {
  assert.match(
    problem(sources({ flags: { provider: 'custom' } })),
    /address of its API and the name of a model/,
  )
  assert.match(
    problem(sources({ flags: { provider: 'custom', model: 'm' } })),
    /lacks the address of its API\.\n.*--api-base/,
  )
  const flags = { apiBase: 'http://127.0.0.1:8080/v1', model: 'm' }
  assert.equal(resolved(sources({ flags })).provider, 'custom')
  assert.match(problem(sources({ flags: { ...flags, apiBase: 'localhost:8080' } })), /no address/)
})

test('PRO-3 a provider of a disabled plugin fails, naming plugin and remedy; an unknown one names the nearest', () => {
  const unavailable = new Map([['provider:gemini', OFF]])
  assert.match(
    problem(sources({ flags: { provider: 'gemini' }, unavailable })),
    /plugin gemini, which is switched off.*\namber plugin on gemini/,
  )
  assert.match(problem(sources({ flags: { provider: 'acne' } })), /no provider acne.*\n.*acme/)
})

test('PRO-5 an unknown flavor falls back to openai with one notice; a disabled plugin’s flavor fails', () => {
  const files = new Map([['mine', { apiBase: 'https://mine.test', model: 'm', flavor: 'gemini' }]])
  const fallen = resolved(sources({ files }))
  assert.equal(fallen.flavor, 'openai')
  assert.equal(fallen.notices.length, 1)
  const unavailable = new Map([['flavor:gemini', OFF]])
  assert.match(problem(sources({ files, unavailable })), /protocol gemini.*\namber plugin on gemini/)
  const flavor = {
    flavor: 'gemini',
    plugin: 'gemini',
    dialect: async () => ({ kind: 'declined', why: 'x' }) as const,
  }
  const providers = { presets: new Map(), flavors: new Map([['gemini', flavor]]) }
  assert.equal(resolved(sources({ files, providers })).dialect, flavor)
})

test('PRO-6 several files and no choice: a run asks for one by name', () => {
  const file = { apiBase: 'https://x.test', model: 'm' }
  assert.match(
    problem(
      sources({
        files: new Map([
          ['a', file],
          ['b', file],
        ]),
      }),
    ),
    /a, b/,
  )
})

test('PRO-1 PRO-6 the listing merges presets and files and marks the active one', () => {
  const files = new Map([
    ['acme', { model: 'mine' }],
    ['own', { apiBase: 'https://own.test', model: 'o' }],
  ])
  const rows = listProviders(sources({ files, env: { ACME_API_KEY: 'k' }, config: { provider: 'acme' } }))
  assert.deepEqual(rows[0], {
    name: 'acme',
    plugin: 'acme',
    flavor: 'openai',
    apiBase: 'https://acme.test/v1',
    defaultModel: 'mine',
    requiresKey: true,
    hasKey: true,
    active: true,
  })
  const own = rows.find(({ name }) => name === 'own')
  assert.deepEqual([own?.plugin, own?.requiresKey, own?.active], [null, false, false])
})

const folders: string[] = []
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

test('PRO-6 provider files are read by name, written for their owner alone, and a mistake is a diagnostic', async () => {
  const config = await mkdtemp(join(tmpdir(), 'amber-providers-'))
  folders.push(config)
  assert.deepEqual([...(await readProviderFiles(config)).files], [])
  const path = await writeProviderFile(config, 'mine', { apiBase: 'https://mine.test', model: 'm' })
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.match(await readFile(path, 'utf8'), /"provider": "mine"/)
  await writeFile(join(config, 'providers', 'bad.json'), '{ "apiBse": "x" }')
  const { files, diagnostics } = await readProviderFiles(config)
  assert.deepEqual([...files.keys()], ['mine'])
  assert.match(diagnostics[0]?.message ?? '', /apiBse/)
  assert.equal(await removeProviderFile(config, 'mine'), true)
  assert.equal(await removeProviderFile(config, 'mine'), false)
  await assert.rejects(writeProviderFile(config, '../x', {}), AmberError)
})
