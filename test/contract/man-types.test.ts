import assert from 'node:assert/strict'
import test from 'node:test'
import { generateTypes } from '../../manifests/generate-types.ts'
import type { Manifest } from '../../manifests/manifest.ts'
import { readManifest } from '../../manifests/read-manifest.ts'
import { compileTypes } from '../support/compile-types.ts'
import { amberVersion, manifestText, weatherTool } from '../support/manifest-text.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function manifestOf(changes: Readonly<Record<string, unknown>>): Promise<Manifest> {
  const { manifest, diagnostics } = await readManifest(manifestText(changes), '/p/plugin.json', {
    amberVersion,
  })
  assert(manifest, JSON.stringify(diagnostics))
  return manifest
}

const typesOf = async (changes: Readonly<Record<string, unknown>>) => generateTypes(await manifestOf(changes))
const typesOfTools = (...tools: Record<string, unknown>[]) => typesOf({ capabilities: { tools } })

const item = {
  type: 'object',
  properties: { n: { type: 'number' }, kids: { type: 'array', items: { $ref: '#/$defs/item' } } },
}

const everything = {
  capabilities: {
    tools: [
      weatherTool(),
      weatherTool({
        name: 'other-tool',
        approval: 'dynamic',
        parameters: { type: 'object', properties: { x: { $ref: '#/$defs/item' } }, $defs: { item } },
      }),
    ],
    promptBlocks: [{ name: 'doc' }, { name: 'data', file: 'data.md' }],
    statusSegments: [{ name: 'temperature' }],
    panels: [{ id: 'forecast', title: 'Forecast' }],
    commands: [
      {
        root: 'weather',
        help: 'Weather',
        children: { now: { help: '' }, config: { help: '', children: { set: { help: '' } } } },
      },
    ],
    providers: [{ presets: [{ name: 'acme' }] }, { presets: [{ name: 'plain', apiBase: 'https://x.test' }] }],
    wallets: [{ provider: 'acme' }],
    skills: [
      { name: 'notes', description: 'd' },
      { name: 'file-notes', description: 'd', file: 'n.md' },
    ],
  },
}

const entry = `import { definePlugin } from 'amber-agent/sdk'
import type { Weather } from './plugin.types.ts'

export default definePlugin<Weather>((host) => ({
  tools: {
    weather: { execute: ({ city }, call) => ({ ok: true, output: city.toUpperCase() }) },
    'other-tool': { execute: async ({ x }) => ({ ok: true, output: String(x?.kids?.[0]?.n) }), requiresApproval: () => true },
  },
  promptBlocks: { doc: () => 'x' },
  statusSegments: { temperature: (snapshot) => ({ text: snapshot.model, tone: 'good' }) },
  panels: { forecast: { lines: (width) => ['x'.repeat(width)] } },
  commands: { weather: { now: (argument) => argument.text, 'config.set': () => '' } },
  providers: { acme: { start: async ({ signal }) => ({ apiBase: 'http://127.0.0.1:1' }) } },
  wallets: { acme: async () => 1 },
  skills: { notes: () => 'x' },
}))
`

function changed(from: string | RegExp, to: string, text = entry): string {
  const result = text.replace(from, to)
  assert.notEqual(result, text)
  return result
}

const asAsync = changed('((host) => ({', '(async (host) => ({')
const asBlock = changed(/\}\)\)\n$/, '}) })\n', changed('((host) => ({', '((host) => { return ({'))
const extraTool = '    extra: { execute: () => ({ ok: true }) },\n    weather: {'

/** What is misused, and where and how the compiler says so. */
const misuses: Readonly<Record<string, readonly [string, RegExp]>> = {
  'missing-tool': [changed(/ {4}'other-tool'.*\n/, ''), /^5:3 .*Property '"other-tool"' is missing/s],
  'missing-section': [changed(/ {2}panels.*\n/, ''), /Property 'panels' is missing/],
  'missing-approval': [
    changed(', requiresApproval: () => true', ''),
    /^7:5 .*Property 'requiresApproval' is missing/s,
  ],
  'extra-tool': [changed('    weather: {', extraTool), /^6:\d+ .*NotDeclaredInPluginJson/],
  'extra-tool-async': [
    changed('    weather: {', extraTool, asAsync),
    /Property 'extra' is incompatible.*declare it in plugin.json/s,
  ],
  'extra-tool-block': [
    changed('    weather: {', extraTool, asBlock),
    /Property 'extra' is incompatible.*declare it in plugin.json/s,
  ],
  'extra-section': [
    changed('  wallets', '  allowances: { acme: async () => undefined },\n  wallets'),
    /^14:3 /,
  ],
  'extra-leaf': [
    changed('now: (argument) => argument.text', "later: () => ''"),
    /^12:\d+ .*NotDeclaredInPluginJson/,
  ],
  'extra-root': [
    changed('{ weather: { now', '{ wether: {}, weather: { now'),
    /^12:\d+ .*declare it in plugin.json/,
  ],
  'misspelt-segment': [changed('temperature: (', 'temprature: ('), /^10:\d+ .*NotDeclaredInPluginJson/],
  'wrong-use-of-argument': [
    changed('city.toUpperCase()', 'city.toFixed(2)'),
    /^6:\d+ .*'toFixed' does not exist on type 'string'/,
  ],
  'unknown-argument': [
    changed('{ city }', '{ town }'),
    /^6:\d+ .*'town' does not exist on type 'WeatherArguments'/,
  ],
  'wrong-type-of-argument': [changed('({ city }, call)', '({ city }: { city: number }, call)'), /^6:\d+ /],
  'wrong-result': [
    changed('({ ok: true, output: city.toUpperCase() })', 'city'),
    /^6:\d+ .*'string' is not assignable/,
  ],
  'type-argument-left-out': [changed('<Weather>', ''), /TypeArgumentMissing/],
  'events-without-startup': [
    changed('  wallets', "  events: { 'turn.ended': () => {} },\n  wallets"),
    /^14:3 /,
  ],
  'handler-of-a-block-with-a-file': [
    changed("doc: () => 'x'", "doc: () => 'x', data: () => 'y'"),
    /NotDeclaredInPluginJson/,
  ],
  'provider-without-code': [
    changed('  providers: {', '  providers: { plain: {},'),
    /declare it in plugin.json/,
  ],
}

test('MAN-4 the compiler holds an entry against its manifest, and says readably what is wrong', async (t) => {
  const { text, diagnostics } = await typesOf(everything)
  assert.deepEqual(diagnostics, [])
  const bad = Object.entries(misuses).map(([name, [source]]) => [`${name}.ts`, source])
  const errors = compileTypes(temporaryFolder(t), {
    'plugin.types.ts': text,
    'good.ts': entry,
    'good-async.ts': asAsync,
    'good-block.ts': asBlock,
    'good-without-commands.ts': changed(/ {2}commands: .*\n/, ''),
    'good-declined.ts': changed(
      "() => 'x'",
      "decline('not today')",
      changed('{ definePlugin', '{ decline, definePlugin'),
    ),
    ...Object.fromEntries(bad),
  })
  assert.deepEqual(
    [...errors.keys()].filter((file) => file.startsWith('good') || file.startsWith('plugin')),
    [],
  )
  for (const [name, [, expected]] of Object.entries(misuses)) {
    const first = errors.get(`${name}.ts`)?.[0]
    assert(first, `${name}: compiles`)
    assert.match(first, expected, name)
  }
})

test('MAN-4 a schema that cannot be typed gives unknown and a warning at its place', async () => {
  const parameters = {
    type: 'object',
    properties: { a: { $ref: '#here' } },
    $defs: { x: { $anchor: 'here', type: 'string' } },
  }
  const source = {
    file: '/p/plugin.json',
    text: manifestText({ capabilities: { tools: [weatherTool({ parameters })] } }),
  }
  const { manifest } = await readManifest(source.text, source.file, { amberVersion })
  assert(manifest)
  const { text, diagnostics } = await generateTypes(manifest, source)
  assert.match(text, /"weather": \{ arguments: unknown; approval: "never" \}/)
  assert.deepEqual(
    diagnostics.map(({ severity, code, file, line, path }) => [
      severity,
      code,
      file,
      source.text.split('\n')[line - 1]?.trim(),
      path,
    ]),
    [['warning', 'AMB2214', '/p/plugin.json', '"parameters": {', 'capabilities.tools[0].parameters']],
  )
  assert.equal((await generateTypes(manifest)).diagnostics[0]?.line, 1)
})

test('MAN-5 generation is deterministic: same manifest, same bytes', async () => {
  const first = await typesOf(everything)
  const second = await typesOf(everything)
  assert.equal(first.text, second.text)
  assert(first.text.endsWith('}\n'))
  const spaced = await readManifest(`${manifestText(everything)}\n\n`, '/elsewhere/plugin.json', {
    amberVersion,
  })
  assert(spaced.manifest)
  assert.equal((await generateTypes(spaced.manifest)).text, first.text)
})

test('MAN-4 names never meet: of two tools, of their definitions, of the language', async (t) => {
  const parameters = {
    type: 'object',
    title: 'Same',
    properties: { x: { $ref: '#/$defs/item' }, y: { title: 'Same', type: 'object' } },
    $defs: { item },
  }
  const names = ['a_b', 'aB', 'a-b', 'A_B', '1', '_', 'array']
  const { text, diagnostics } = await typesOfTools(...names.map((name) => weatherTool({ name, parameters })))
  assert.deepEqual(diagnostics, [])
  const exported = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name)
  assert.equal(new Set(exported).size, exported.length)
  const promise = await typesOf({ id: 'promise' })
  assert.match(promise.text, /export interface PromisePlugin \{/)
  const errors = compileTypes(temporaryFolder(t), { 'plugin.types.ts': text, 'promise.ts': promise.text })
  assert.deepEqual([...errors], [])
})

test('MAN-8 nothing in a manifest becomes code in the generated types', async (t) => {
  const evil = '*/ export const evil = globalThis; /*'
  const parameters = {
    type: 'object',
    title: evil,
    description: evil,
    tsType: 'any; export const evil = 1',
    properties: {
      a: { tsType: 'unknown; export const evil = 2', description: evil },
      b: { enum: ['x'], tsEnumNames: ['X = (globalThis.evil = 1)'] },
      [`"; ${evil}`]: { type: 'string', $comment: evil },
      c: { enum: [evil, `"; ${evil}`, '`${evil}`'], default: evil },
      d: { const: evil },
      e: { $ref: '#/$defs/x*~1y' },
      f: { description: `line\u2028${evil}\r\n*/`, deprecated: true, title: `A\n${evil}` },
    },
    $defs: { 'x*/y': { type: 'string', description: evil } },
  }
  const { text } = await typesOf({
    description: evil,
    capabilities: {
      tools: [weatherTool({ description: evil, parameters })],
      commands: [{ root: 'r', help: evil }],
    },
  })
  const probe = `import * as types from './plugin.types.ts'\nconst none: Record<never, never> = types\nexport const keys: (keyof typeof types)[] = []\nconst never: never = keys[0] as never\n`
  const errors = compileTypes(temporaryFolder(t), { 'plugin.types.ts': text, 'probe.ts': probe })
  assert.deepEqual([...errors], [])
  // Outside of comments and strings the word is nowhere.
  const code = text.replace(/"(?:[^"\\]|\\.)*"|\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  assert.doesNotMatch(code, /evil|globalThis|const|import/)
})
