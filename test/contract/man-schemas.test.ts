import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import test from 'node:test'
import { build } from 'esbuild'
import { buildValidatorModule, generatedValidators } from '../../manifests/build-validators.ts'
import { commandPaths } from '../../manifests/command-node.ts'
import { capabilityKinds, recordOf } from '../../manifests/declared.ts'
import { generateOwnTypes } from '../../manifests/generate-own-types.ts'
import { readConfigFile } from '../../manifests/read-config-file.ts'
import { readManifest } from '../../manifests/read-manifest.ts'
import { schemas } from '../../manifests/schemas.ts'
import { isRecord } from '../../sdk/index.ts'
import { amberVersion, manifestText } from '../support/manifest-text.ts'

const manifests = new URL('../../manifests/', import.meta.url)
const text = (name: string) => readFileSync(new URL(name, manifests), 'utf8')

function* objectsOf(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (Array.isArray(value)) for (const one of value) yield* objectsOf(one)
  if (!isRecord(value)) return
  yield value
  for (const one of Object.values(value)) yield* objectsOf(one)
}

test('MAN-2 the types of manifests and files are what the schemas say', async () => {
  for (const [name, generated] of await generateOwnTypes()) {
    assert.equal(
      text(name),
      generated,
      `${name} is out of date: node --import tsx manifests/generate-own-types.ts`,
    )
  }
})

test('MAN-1 the schema knows every kind, has no union and no condition, and explains each key', () => {
  assert.deepEqual(
    Object.keys(schemas.plugin.$defs.capabilities.properties).sort(),
    [...capabilityKinds].sort(),
  )
  for (const [name, schema] of Object.entries(schemas)) {
    for (const part of objectsOf(schema)) {
      for (const key of ['if', 'not', 'anyOf', 'oneOf', 'allOf'])
        assert(!Object.hasOwn(part, key), `${name}: ${key}`)
      if (typeof part.pattern === 'string') assert(part.patternErrorMessage, `${name}: ${part.pattern}`)
    }
    for (const part of objectsOf(schema)) {
      if (part.type !== 'object') continue
      for (const [key, property] of Object.entries(recordOf(part.properties))) {
        const reference = recordOf(property).$ref
        const explained = recordOf(property).description ?? reference
        assert(explained, `${name}: ${key} has no description`)
      }
    }
  }
})

test('MAN-1 the manifest of the documentation is valid, comments and all', async () => {
  const example = `{
  "$schema": "./node_modules/amber-agent/manifests/plugin.schema.json",
  "manifestVersion": 1,
  "id": "weather", "version": "0.1.0", "name": "Weather", "description": "Says what the weather is.", "category": "tools",
  "engines": { "amber": ">=0.1.0" },
  "entry": "./index.ts", "activation": "lazy", "activationTimeoutMs": 5000, "external": [],
  "capabilities": {
    "tools": [
      { "name": "weather", "description": "Current weather of a city.", "verb": "looking out",
        "parameters": { "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"], "additionalProperties": false },
        "readOnly": true, "approval": "never", "group": "weather", "requires": [], "maxOutputBytes": 65536 }
    ],
    "promptBlocks":   [ { "name": "weather_doc", "priority": 400, "placement": "system", "file": "prompts/weather.md" } ],
    "statusSegments": [ { "name": "temperature", "priority": 500, "dropPriority": 10, "edge": "left" } ],
    "panels":         [ { "id": "forecast", "title": "Forecast" } ],
    "commands":       [ { "root": "weather", "help": "Weather", "man": "Usage: /weather now <city>",
                          "children": { "now": { "help": "The weather now" }, "units": { "help": "Units", "choices": ["metric", "imperial"] } } } ],
    "providers":      [ { "flavor": "openai", "ownDialect": false,
                          "presets": [ { "name": "acme", "apiBase": "https://api.acme.test/v1", "defaultModel": "acme-1", "requiresKey": true, "keyEnv": ["ACME_API_KEY"] } ] } ],
    "wallets":        [ { "provider": "acme", "currency": "USD" } ],
    "allowances":     [ { "provider": "acme" } ],
    "searchBackends": [ { "mode": "acme" } ],
    "skills":         [ { "name": "weather-notes", "description": "…", "file": "skills/weather-notes/SKILL.md" } ]
  }
}`
  const { manifest, diagnostics } = await readManifest(example, '/p/plugin.json', { amberVersion })
  assert.deepEqual(diagnostics, [])
  const [command] = manifest?.capabilities.commands ?? []
  assert(command)
  assert.deepEqual(commandPaths(command), ['', 'now', 'units'])
})

test('MAN-2 every bundled manifest is in order', async () => {
  const plugins = new URL('../../plugins/', import.meta.url)
  for (const id of await readdir(plugins)) {
    const file = new URL(`${id}/plugin.json`, plugins)
    const source = await readFile(file, 'utf8').catch(() => undefined)
    if (source === undefined) continue
    const { manifest, diagnostics } = await readManifest(source, file.pathname, { amberVersion })
    assert.deepEqual(diagnostics, [], id)
    assert.equal(manifest?.id, id)
  }
})

test('MAN-1 the built reader holds the generated validators, no Ajv, and agrees with the source', async () => {
  assert.equal(await buildValidatorModule(), await buildValidatorModule())
  const { outputFiles, metafile } = await build({
    stdin: {
      contents:
        "export { readManifestFast } from './read-manifest-fast.ts'\nexport { validators } from './validators.ts'",
      resolveDir: manifests.pathname,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire('/');" },
    write: false,
    metafile: true,
    plugins: [generatedValidators()],
  })
  const heavy = Object.keys(metafile.inputs).filter((input) =>
    /\/(ajv|ajv-formats|momoa|json-schema-to-typescript)\//.test(input),
  )
  assert.deepEqual(
    heavy.filter((input) => !/\/ajv\/dist\/runtime\//.test(input)),
    [],
  )
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')
  const built = await import(`data:text/javascript;base64,${code}`)
  assert.equal(built.readManifestFast(manifestText(), { amberVersion })?.id, 'weather')
  assert.equal(built.readManifestFast(manifestText({ id: 'X' }), { amberVersion }), undefined)
  assert.equal(built.validators.config({ mode: 'yolo' }), true)
  assert.equal(built.validators.config({ mode: 'yollo', more: 1 }), false)
  assert.deepEqual(built.validators.config.errors.map(({ keyword }: { keyword: string }) => keyword).sort(), [
    'additionalProperties',
    'enum',
  ])
})

test('CMD-1 the core command tree is data in order, and its words are those of the contract', async () => {
  const { value, diagnostics } = await readConfigFile(
    'completions',
    text('completions.json'),
    'completions.json',
  )
  assert.deepEqual(diagnostics, [])
  const roots =
    'help settings new close stop compress save quit window get set files provider session undo trust mcp job panel'
  assert.deepEqual(Object.keys(value?.commands ?? {}).sort(), roots.split(' ').sort())
  for (const path of [
    'set.plugin.on',
    'get.plugin.info',
    'get.model.context',
    'set.reasoning.effort',
    'set.compression.min_turns',
    'set.detection.duplicate',
    'set.subagent.max',
    'get.provider.wallet',
    'set.policy.rule',
  ]) {
    let node: unknown = { children: value?.commands }
    for (const word of path.split('.')) node = recordOf(recordOf(node).children)[word]
    assert(isRecord(node), path)
  }
  for (const part of objectsOf(value?.commands)) {
    if (typeof part.help !== 'string') continue
    assert(part.help.length > 0 && part.help.length <= 80, part.help)
    assert(!part.help.endsWith('.'), part.help)
  }
})

test('MAN-1 mistakes in config files get the same diagnostics', async () => {
  const { value, diagnostics } = await readConfigFile(
    'config',
    '{\n  // mine\n  "mode": "yollo",\n  "modle": "x",\n  "compression": { "threshold": 200 }\n}',
    '/c/config.json',
  )
  assert.equal(value, undefined)
  assert.deepEqual(
    diagnostics.map((one) => `${one.line}:${one.column} ${one.code} ${one.path}: ${one.message}`),
    [
      '3:11 AMB2103 mode: "yollo" is not legal here, did you mean "yolo"?',
      '4:3 AMB2104 : unknown key "modle", did you mean "model"?',
      '5:33 AMB2106 compression.threshold: must be at most 95, not 200',
    ],
  )
  assert.deepEqual((await readConfigFile('config', '{ "mode": "read", } // fine', 'c')).value, {
    mode: 'read',
  })
  const provider = {
    provider: 'acme',
    apiBase: 'https://a.test/v1',
    apiKey: 'k',
    model: 'm',
    flavor: 'openai',
    requiresKey: true,
    mergeSystem: false,
    contextWindow: 8192,
  }
  assert.deepEqual(await readConfigFile('provider', JSON.stringify(provider), 'p'), {
    value: provider,
    diagnostics: [],
  })
  assert.equal((await readConfigFile('provider', '{"apiBse": "x"}', 'p')).value, undefined)
  assert.deepEqual((await readConfigFile('pluginState', '{"enabled": false}', 's')).value, { enabled: false })
  assert.equal(
    (await readConfigFile('pluginState', '{"enabled": "no"}', 's')).diagnostics[0]?.code,
    'AMB2101',
  )
  for (const broken of ['', '{', '[]', '\0', '{"a":'.repeat(5000)]) {
    for (const kind of ['config', 'provider', 'pluginState', 'mcp', 'completions'] as const) {
      const reading = await readConfigFile(kind, broken, 'f')
      assert.equal(reading.value, undefined)
      assert(reading.diagnostics.length > 0)
    }
  }
})

test('MAN-1 mcp.json keeps the keys of other programs, with a warning, and wants a command or an address', async () => {
  const usual =
    '{"mcpServers": {"files": {"command": "npx", "args": ["x"], "autoApprove": []}, "web": {"type": "http", "url": "https://x.test"}}}'
  const { value, diagnostics } = await readConfigFile('mcp', usual, 'mcp.json')
  assert.equal(value?.mcpServers?.files?.command, 'npx')
  assert.deepEqual(
    diagnostics.map(({ severity, code }) => [severity, code]),
    [['warning', 'AMB2104']],
  )
  for (const server of ['{}', '{"command": "x", "url": "https://x.test"}']) {
    const wrong = await readConfigFile('mcp', `{"mcpServers": {"s": ${server}}}`, 'mcp.json')
    assert.deepEqual(
      wrong.diagnostics.map(({ code, path }) => [code, path]),
      [['AMB2301', 'mcpServers.s']],
    )
  }
})
