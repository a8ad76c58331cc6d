import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { checkFiles } from '../../manifests/check-files.ts'
import { readManifest } from '../../manifests/read-manifest.ts'
import { schemas } from '../../manifests/schemas.ts'
import { amberVersion, manifestData, manifestText, weatherTool } from '../support/manifest-text.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const read = (text: string) => readManifest(text, '/p/plugin.json', { amberVersion })

test('L6 a missing version and a list given as a string are both told, with place and expected type', async () => {
  const { version: _, ...rest } = manifestData({ external: 'sharp', capabilities: { tools: 'weather' } })
  const { manifest, diagnostics } = await read(JSON.stringify(rest, null, 2))
  assert.equal(manifest, undefined)
  assert.deepEqual(
    diagnostics.map(({ line, path, message }) => [line, path, message]),
    [
      [1, '', 'the key "version" is missing'],
      [11, 'capabilities.tools', 'must be a list, not the string "weather"'],
      [13, 'external', 'must be a list, not the string "sharp"'],
    ],
  )
})

test('W26 a misspelt extension point is an error with the one that was meant', async () => {
  for (const [misspelt, meant] of [
    ['tool', 'tools'],
    ['statusSegment', 'statusSegments'],
    ['comands', 'commands'],
    ['promptBlock', 'promptBlocks'],
    ['serchBackends', 'searchBackends'],
  ]) {
    const { manifest, diagnostics } = await read(manifestText({ capabilities: { [misspelt ?? '']: [] } }))
    assert.equal(manifest, undefined)
    assert.deepEqual(
      diagnostics.map(({ code, path, message }) => [code, path, message]),
      [['AMB2104', 'capabilities', `unknown key "${misspelt}", did you mean "${meant}"?`]],
    )
  }
})

test('W28 every published schema compiles in strict mode, and every pattern of it does what its examples say', () => {
  for (const [name, schema] of Object.entries(schemas)) {
    const ajv = new Ajv2020({ strict: true })
    ajv.addVocabulary(['patternErrorMessage', 'defaultSnippets'])
    assert.equal(ajv.validateSchema(schema), true, name)
    ajv.compile(schema)
    checkExamples(schema, name)
  }
})

/** Examples and defaults of a text keep to its own pattern, read as other tools read it: with `u`. */
function checkExamples(value: unknown, name: string): void {
  if (typeof value !== 'object' || value === null) return
  if ('pattern' in value && typeof value.pattern === 'string') {
    const pattern = new RegExp(value.pattern, 'u')
    const given = [
      ...('examples' in value && Array.isArray(value.examples) ? value.examples : []),
      ...('default' in value ? [value.default] : []),
    ]
    for (const one of given) assert.match(String(one), pattern, `${name}: ${value.pattern}`)
  }
  for (const one of Object.values(value)) checkExamples(one, name)
}

test('W29 a declared file that is not there is named, where it is declared', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'plugin.json')
  const text = manifestText({
    capabilities: {
      tools: [weatherTool()],
      promptBlocks: [
        { name: 'a', file: 'prompts/a.md' },
        { name: 'b', file: 'prompts/b.md' },
      ],
      skills: [{ name: 's', description: 'd', file: 'skills/s/SKILL.md' }],
    },
  })
  mkdirSync(join(folder, 'prompts'))
  writeFileSync(join(folder, 'prompts', 'a.md'), 'a')
  const missing = await checkFiles(text, file, (named) => existsSync(join(folder, named)))
  assert.deepEqual(
    missing.map(({ code, path, message, line }) => [code, path, message, text.split('\n')[line - 1]?.trim()]),
    [
      ['AMB2213', 'entry', 'the file "./index.ts" is not there', '"entry": "./index.ts",'],
      [
        'AMB2213',
        'capabilities.promptBlocks[1].file',
        'the file "prompts/b.md" is not there',
        '"file": "prompts/b.md"',
      ],
      [
        'AMB2213',
        'capabilities.skills[0].file',
        'the file "skills/s/SKILL.md" is not there',
        '"file": "skills/s/SKILL.md"',
      ],
    ],
  )
  assert.deepEqual(await checkFiles('{ broken', file, () => false), [])
  // A path that leaves the folder is never asked for.
  const asked: string[] = []
  await checkFiles(manifestText({ entry: '../../etc/x.ts' }), file, (named) => asked.push(named) > 0)
  assert.deepEqual(asked, [])
})

test('J5 a tool without arguments may leave its parameters empty', async () => {
  for (const parameters of [{}, { type: 'object', additionalProperties: false }]) {
    const { manifest } = await read(manifestText({ capabilities: { tools: [weatherTool({ parameters })] } }))
    assert.deepEqual(manifest?.capabilities.tools[0]?.parameters, parameters)
  }
})
