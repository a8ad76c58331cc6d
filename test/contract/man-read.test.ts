import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import { diagnosticCodes } from '../../manifests/diagnostic-codes.ts'
import { readKnownManifest } from '../../manifests/read-known-manifest.ts'
import { readManifest } from '../../manifests/read-manifest.ts'
import { readManifestFast } from '../../manifests/read-manifest-fast.ts'
import { amberVersion, manifestData, manifestText, weatherTool } from '../support/manifest-text.ts'
import { processorMs } from '../support/processor-time.ts'

const file = '/plugins/weather/plugin.json'
const read = (text: string, options = {}) => readManifest(text, file, { amberVersion, ...options })
const readData = (changes: Readonly<Record<string, unknown>>, options = {}) =>
  read(manifestText(changes), options)

function line(one: Diagnostic): string {
  return `${one.line}:${one.column} ${one.code} ${one.path}: ${one.message}`
}

async function codesOf(changes: Readonly<Record<string, unknown>>): Promise<string[]> {
  return (await readData(changes)).diagnostics.map(({ code }) => code)
}

test('MAN-1 a manifest in order is read with every default filled in', async () => {
  const { manifest, diagnostics } = await readData({
    capabilities: {
      tools: [weatherTool()],
      promptBlocks: [{ name: 'doc' }],
      statusSegments: [{ name: 'temperature' }],
      providers: [{ presets: [{ name: 'acme', apiBase: '' }, { name: 'own' }] }],
      wallets: [{ provider: 'own' }],
    },
  })
  assert.deepEqual(diagnostics, [])
  assert(manifest)
  assert.equal(manifest.category, 'other')
  assert.equal(manifest.activation, 'lazy')
  assert.equal(manifest.activationTimeoutMs, 5000)
  assert.deepEqual(manifest.external, [])
  const { tools, promptBlocks, statusSegments, providers, wallets, skills } = manifest.capabilities
  assert.deepEqual(tools[0], {
    ...weatherTool(),
    verb: 'weather',
    readOnly: false,
    approval: 'never',
    group: 'weather',
    maxOutputBytes: 65_536,
    requires: [],
  })
  assert.deepEqual(promptBlocks[0], {
    name: 'doc',
    priority: 1000,
    placement: 'tail',
    file: undefined,
    requires: [],
  })
  assert.deepEqual(statusSegments[0], {
    name: 'temperature',
    priority: 1000,
    dropPriority: 0,
    edge: 'left',
    requires: [],
  })
  assert.equal(providers[0]?.flavor, 'openai')
  assert.equal(providers[0]?.name, 'acme')
  assert.equal(providers[0]?.presets[0]?.requiresKey, true)
  assert.equal(providers[0]?.presets[0]?.apiBase, '')
  assert.equal(providers[0]?.presets[1]?.apiBase, undefined)
  assert.equal(wallets[0]?.currency, 'USD')
  assert.deepEqual(skills, [])
})

test('MAN-1 all mistakes are told at once, each with its place, path and the nearest legal word', async () => {
  const text = `{
  // who it is
  "manifestVersion": 1, "id": "Weather", "version": "0.1", "name": "", "description": 5,
  "engines": { "amber": ">=0.1.0" },
  "categry": "tools", "entry": "../index.ts", "activation": "startp",
  "capabilities": {
    "tools": [
      {
        "name": "weather", "description": "d", "parameters": {},
        "aproval": "never", "requires": ["job"], "maxOutputBytes": 0
      },
      { "name": "weather", "parameters": {} },
    ],
    "providers": [{ "presets": [{ "name": "acme", "apiBase": "ftp://x" }] }],
    "wallets": [{ "provider": "acm" }],
  },
}`
  const { manifest, diagnostics } = await read(text)
  assert.equal(manifest, undefined)
  assert.deepEqual(diagnostics.map(line), [
    '3:31 AMB2105 id: "Weather" must be an id: lower-case letters, digits and _, a letter first, 40 characters at most',
    '3:53 AMB2201 version: "0.1" is not a semantic version',
    '3:68 AMB2106 name: must not be empty',
    '3:87 AMB2101 description: must be a string, not the number 5',
    '5:3 AMB2104 : unknown key "categry", did you mean "category"?',
    '5:32 AMB2208 entry: "../index.ts" leaves the plugin’s folder',
    '5:61 AMB2103 activation: "startp" is not legal here, did you mean "startup"?',
    '10:9 AMB2104 capabilities.tools[0]: unknown key "aproval", did you mean "approval"?',
    '10:42 AMB2103 capabilities.tools[0].requires[0]: "job" is not legal here, did you mean "jobs"?',
    '10:68 AMB2106 capabilities.tools[0].maxOutputBytes: must be at least 1, not 0',
    '12:7 AMB2102 capabilities.tools[1]: the key "description" is missing',
    '12:17 AMB2206 capabilities.tools[1].name: "weather" is taken already, by capabilities.tools[0]',
    '14:62 AMB2105 capabilities.providers[0].presets[0].apiBase: "ftp://x" must be an http or https address, or empty',
    '15:31 AMB2207 capabilities.wallets[0].provider: "acm" is no preset of this plugin, did you mean "acme"?',
  ])
  const unknown = diagnostics.find(({ message }) => message.includes('aproval'))
  assert.equal(unknown?.length, 9)
  assert.equal(
    unknown?.hint,
    'a tool may say: name, description, parameters, readOnly, approval, verb, group, requires, maxOutputBytes',
  )
  for (const { code } of diagnostics) assert(Object.hasOwn(diagnosticCodes, code), code)
})

test('MAN-1 comments, trailing commas, a byte order mark and CRLF are accepted and counted right', async () => {
  const text = `\uFEFF{ // first\n${manifestText().slice(1, -1).trimEnd()}, /* last */\n}`.replaceAll(
    '\n',
    '\r\n',
  )
  const good = await read(text)
  assert.deepEqual(good.diagnostics, [])
  assert.equal(good.manifest?.id, 'weather')
  const bad = await read('\uFEFF{ "nam": 1,\r\n  "x": 2 }')
  const places = bad.diagnostics.filter(({ code }) => code === 'AMB2104').map(line)
  assert.deepEqual(
    places.map((one) => one.split(' ')[0]),
    ['1:3', '2:3'],
  )
})

test('MAN-1 text that is not JSON is one error at its place, with a hint', async () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['', '1:1', 'AMB1002'],
    [' \n\t', '1:1', 'AMB1002'],
    ['{"a": 1', '1:8', 'AMB1003'],
    ["{'a': 1}", '1:2', 'AMB1003'],
    ['{"a" 1}', '1:6', 'AMB1003'],
    ['{"a": 1 "b": 2}', '1:9', 'AMB1003'],
    ['{\n  a: 1\n}', '2:3', 'AMB1003'],
    ['{"a": "x\n"}', '1:9', 'AMB1003'],
    ['not json at all', '1:1', 'AMB1003'],
    ['{} {}', '1:4', 'AMB1003'],
    ['[,]', '1:2', 'AMB1003'],
    ['\0\x01', '1:1', 'AMB1003'],
  ]
  for (const [text, place, code] of cases) {
    const { manifest, diagnostics } = await read(text)
    assert.equal(manifest, undefined)
    assert.equal(diagnostics.length, 1, text)
    const [only] = diagnostics
    assert.equal(`${only?.line}:${only?.column}`, place, text)
    assert.equal(only?.code, code, text)
    assert(only?.hint, text)
  }
})

test('MAN-1 a key that stands twice is an error at its second place', async () => {
  const { manifest, diagnostics } = await read(
    manifestText().replace('"name": "Weather"', '"name": "A", "name": "B"'),
  )
  assert.equal(manifest, undefined)
  assert.deepEqual(
    diagnostics.map(({ code, column }) => [code, column]),
    [['AMB1005', 16]],
  )
})

test('MAN-1 size and depth are bounded, and neither takes long', async () => {
  const spent = await processorMs(async () => {
    const large = await read(`{"x-a": "${'x'.repeat(5_000_000)}"}`)
    assert.deepEqual(
      large.diagnostics.map(({ code }) => code),
      ['AMB1001'],
    )
    for (const text of [
      '['.repeat(100_000),
      '{"a":'.repeat(100_000),
      '['.repeat(50_000) + ']'.repeat(50_000),
    ]) {
      assert.deepEqual(
        (await read(text)).diagnostics.map(({ code }) => code),
        ['AMB1004'],
      )
    }
    const quotes = await read('{"'.repeat(300_000))
    assert(quotes.diagnostics.length > 0)
  })
  assert.ok(spent < 5_000, `${spent} ms`)
})

test('MAN-1 __proto__ as a key is refused wherever it stands, also escaped', async () => {
  for (const key of ['__proto__', '\\u005f_proto__']) {
    const { manifest, diagnostics } = await read(
      manifestText().replace('"city": {', `"${key}": { "type": "string" }, "city": {`),
    )
    assert.equal(manifest, undefined)
    assert(
      diagnostics.some(({ code }) => code === 'AMB1006'),
      key,
    )
  }
})

test('MAN-1 wrong types everywhere are told as such', async () => {
  for (const text of ['[]', '1', '"x"', 'null', 'true']) {
    const { diagnostics } = await read(text)
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['AMB2101'],
      text,
    )
    assert.match(diagnostics[0]?.message ?? '', /^must be an object, not /)
  }
  const wrong = [null, 5, 'x', [], {}]
  for (const key of Object.keys(manifestData())) {
    for (const value of wrong) {
      const { manifest, diagnostics } = await readData({ [key]: value })
      if (manifest === undefined) assert(diagnostics.length > 0, key)
    }
  }
})

test('MAN-1 ids and names with characters of paths are refused', async () => {
  for (const id of ['../x', 'a/b', 'a.b', 'A', '1a', 'ä', 'a'.repeat(41), '', 'a\n']) {
    assert.deepEqual(await codesOf({ id }), ['AMB2105'], id)
  }
  for (const name of ['../x', 'a b', '', 'x'.repeat(65), 'a/b']) {
    assert.deepEqual(await codesOf({ capabilities: { tools: [weatherTool({ name })] } }), ['AMB2105'], name)
  }
  assert.deepEqual(
    await codesOf({
      capabilities: { commands: [{ root: 'a', help: '', children: { 'b.c': { help: '' } } }] },
    }),
    ['AMB2105'],
  )
})

test('MAN-1 files stay in the folder', async () => {
  const hostile = [
    '../x.ts',
    './a/../../x.ts',
    '/etc/x.ts',
    'C:\\x.ts',
    'C:/x.ts',
    '~/x.ts',
    'file:///x.ts',
    'a\\b.ts',
    'a\0.ts',
  ]
  for (const entry of hostile) assert.deepEqual(await codesOf({ entry }), ['AMB2208'], entry)
  for (const entry of ['./a/../x.ts', 'src/x.ts', './..x.ts', 'sp ace/ü#%.mts'])
    assert.deepEqual(await codesOf({ entry }), [], entry)
  assert.deepEqual(
    await codesOf({ capabilities: { skills: [{ name: 's', description: 'd', file: '../../etc/passwd' }] } }),
    ['AMB2208'],
  )
})

test('MAN-2 a manifest whose contributions need code and that names no entry says which', async () => {
  const without = { ...manifestData(), entry: undefined }
  const { diagnostics } = await read(JSON.stringify(without))
  assert.deepEqual(diagnostics.map(line), [
    '1:1 AMB2209 : no "entry", but code is needed for capabilities.tools[0] (weather)',
  ])
  const data = {
    ...without,
    capabilities: {
      promptBlocks: [{ name: 'a', file: 'a.md' }],
      commands: [{ root: 'inert', help: 'Nothing is bound to it' }],
      providers: [{ presets: [{ name: 'p', apiBase: 'https://p.test/v1' }] }],
      skills: [{ name: 's', description: 'd', file: 's/SKILL.md' }],
    },
  }
  assert.deepEqual((await read(JSON.stringify(data))).diagnostics, [])
  assert.deepEqual(
    (await read(JSON.stringify({ ...data, activation: 'startup' }))).diagnostics.map(({ code }) => code),
    ['AMB2209'],
  )
  const starts = { ...without, capabilities: { providers: [{ presets: [{ name: 'p' }] }] } }
  assert.deepEqual(
    (await read(JSON.stringify(starts))).diagnostics.map(({ code }) => code),
    ['AMB2209'],
  )
})

test('MAN-2 the command tree keeps its rules', async () => {
  const command = (node: object) => ({ capabilities: { commands: [{ root: 'r', help: '', ...node }] } })
  assert.deepEqual(await codesOf(command({ range: [1, 2] })), ['AMB2212'])
  assert.deepEqual(await codesOf(command({ type: 'int', range: [2, 1] })), ['AMB2212'])
  assert.deepEqual(await codesOf(command({ type: 'int', range: [1, 2] })), [])
  assert.deepEqual(await codesOf(command({ choices: ['a'], choicesFrom: 'models' })), ['AMB2212'])
  assert.deepEqual(await codesOf(command({ choices: ['a'], type: 'int' })), ['AMB2212'])
  const twice = { a: { help: '', aliases: ['b'] }, b: { help: '' } }
  assert.deepEqual(await codesOf(command({ children: twice })), ['AMB2212'])
  const { diagnostics } = await readData(command({ children: { a: { help: '', choicesFrom: 'model' } } }))
  assert.match(diagnostics[0]?.message ?? '', /did you mean "models"\?/)
})

test('MAN-6 outside of engines.amber the message names both versions', async () => {
  const { manifest, diagnostics } = await readData({ engines: { amber: '>=2.0.0' } })
  assert.equal(manifest, undefined)
  assert.deepEqual(diagnostics.map(line), [
    '8:14 AMB2203 engines.amber: the plugin is made for amber >=2.0.0, this is amber 0.1.0',
  ])
  assert.deepEqual(await codesOf({ engines: { amber: 'newest' } }), ['AMB2202'])
  assert.deepEqual(await codesOf({ engines: {} }), ['AMB2102'])
  assert.deepEqual(await codesOf({ version: 'v1.0.0' }), ['AMB2201'])
  const preview = await readData({ engines: { amber: '>=0.1.0' } }, { amberVersion: '0.2.0-beta.1' })
  assert.equal(preview.manifest?.id, 'weather')
})

test('MAN-6 an older manifest is migrated in memory, with a notice; positions stay those of the text', async () => {
  const migrations = [
    {
      from: 0,
      what: '"abilities" became "capabilities"',
      migrate: ({ abilities, ...rest }: Readonly<Record<string, unknown>>) => ({
        ...rest,
        capabilities: abilities,
      }),
    },
  ]
  const { capabilities, ...rest } = manifestData({ manifestVersion: 0 })
  const old = await read(JSON.stringify({ ...rest, abilities: capabilities }), { migrations })
  assert.equal(old.manifest?.capabilities.tools[0]?.name, 'weather')
  assert.deepEqual(
    old.diagnostics.map(({ severity, code }) => [severity, code]),
    [['warning', 'AMB2205']],
  )
  assert.match(
    old.diagnostics[0]?.message ?? '',
    /manifestVersion 0 was read as 1: "abilities" became "capabilities"/,
  )
  const bad = await read(JSON.stringify({ ...rest, id: 'X', abilities: capabilities }, null, 2), {
    migrations,
  })
  assert.deepEqual(
    bad.diagnostics.map(({ code, line: at }) => [code, at]),
    [
      ['AMB2205', 2],
      ['AMB2105', 3],
    ],
  )
})

test('MAN-6 a manifest version that this amber cannot read is one error', async () => {
  for (const [manifestVersion, word] of [
    [2, 'newer'],
    [0, 'older'],
  ] as const) {
    const { diagnostics } = await readData({ manifestVersion, unknown: 1 })
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['AMB2204'],
    )
    assert.match(diagnostics[0]?.message ?? '', new RegExp(word))
  }
  assert.deepEqual(await codesOf({ manifestVersion: '1' }), ['AMB2101'])
})

test('MAN-7 an unknown key is an error, except under x-', async () => {
  const changes = {
    'x-note': { anything: 1 },
    capabilities: {
      'x-more': 1,
      tools: [weatherTool({ 'x-tool': [] })],
      commands: [{ root: 'r', help: '', 'x-y': 1 }],
    },
  }
  assert.deepEqual(await codesOf(changes), [])
  const { manifest } = await readData(changes)
  assert(!JSON.stringify(manifest).includes('x-'))
  assert.deepEqual(await codesOf({ xnote: 1 }), ['AMB2104'])
  assert.match(
    (await readData({ tools: [] })).diagnostics[0]?.hint ?? '',
    /write "tools" under "capabilities"/,
  )
})

test('MAN-7 in an installed plugin that allows a newer amber an unknown key is a warning', async () => {
  const future = { capabilities: { tools: [weatherTool({ icon: 'sun' })], hologram: [] } }
  const lenient = await readData(future, { installed: true })
  assert.deepEqual(
    lenient.diagnostics.map(({ severity, code }) => [severity, code]),
    [
      ['warning', 'AMB2104'],
      ['warning', 'AMB2104'],
    ],
  )
  assert.equal(lenient.manifest?.capabilities.tools[0]?.name, 'weather')
  assert.equal((await readData(future)).manifest, undefined)
  for (const amber of ['0.1.0', '<=0.1.0']) {
    const strict = await readData({ ...future, engines: { amber } }, { installed: true })
    assert.equal(strict.manifest, undefined, amber)
  }
})

test('MAN-7 settings and logSinks are refused as no extension points', async () => {
  for (const key of ['settings', 'logSinks']) {
    for (const changes of [{ [key]: [] }, { capabilities: { [key]: [] } }]) {
      for (const installed of [true, false]) {
        const { manifest, diagnostics } = await readData(changes, { installed })
        assert.equal(manifest, undefined)
        assert.deepEqual(
          diagnostics.map(({ code, message }) => [code, message]),
          [['AMB2108', `"${key}" is not an extension point of amber`]],
        )
      }
    }
  }
})

test('MAN-1 reading never throws, and answers a manifest or an error, for any text', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify({ ...manifestData(), capabilities: value })),
    fc
      .tuple(fc.constantFrom(...Object.keys(manifestData())), fc.jsonValue())
      .map(([key, value]) => manifestText({ [key]: value })),
    fc
      .tuple(fc.nat(800), fc.nat(20))
      .map(([at, length]) => manifestText().slice(0, at) + manifestText().slice(at + length)),
    fc
      .dictionary(fc.string(), fc.jsonValue())
      .map((tool) => manifestText({ capabilities: { tools: [weatherTool(tool)] } })),
  )
  await fc.assert(
    fc.asyncProperty(text, async (one) => {
      const { manifest, diagnostics } = await read(one)
      const failed = diagnostics.some(({ severity }) => severity === 'error')
      assert.equal(manifest === undefined, failed)
      for (const { line: at, column, message } of diagnostics)
        assert(at >= 1 && column >= 1 && message !== '')
    }),
    { numRuns: 150 },
  )
})

test('MAN-1 the fast way never accepts what the slow way refuses', async () => {
  const broken = [
    manifestText().replace('"name": "Weather"', '"name": "A", "name": "B"'),
    manifestText({ id: 'X' }),
    manifestText({ engines: { amber: '>=9' } }),
    manifestText({
      capabilities: {
        tools: [weatherTool({ parameters: { type: 'object', properties: { a: { type: 'strin' } } } })],
      },
    }),
    manifestText({ capabilities: { tools: [weatherTool({ parameters: { $ref: 'http://x.test/y' } })] } }),
    manifestText({ capabilities: { wallets: [{ provider: 'x' }] } }),
    manifestText().replace('"city": {', '"__proto__": {'),
    '['.repeat(100_000),
    'nonsense',
    '',
  ]
  for (const text of broken)
    assert.equal(readManifestFast(text, { amberVersion }), undefined, text.slice(0, 80))
  const good = readManifestFast(manifestText(), { amberVersion })
  assert.deepEqual(good, (await read(manifestText())).manifest)
  assert.deepEqual(readKnownManifest(manifestText()), good)
  assert.equal(readKnownManifest('nonsense'), undefined)
  assert.equal(readKnownManifest('5'), undefined)
})
