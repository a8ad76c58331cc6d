import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import fc from 'fast-check'
import { checkParametersSchema } from '../../manifests/check-parameters.ts'
import { generateTypes } from '../../manifests/generate-types.ts'
import { compileParameters } from '../../manifests/parameters.ts'
import { parseArguments } from '../../manifests/parse-arguments.ts'
import { readManifest } from '../../manifests/read-manifest.ts'
import { atEnd } from '../support/at-end.ts'
import { amberVersion, manifestText, weatherTool } from '../support/manifest-text.ts'
import { processorMs } from '../support/processor-time.ts'

type Schema = Readonly<Record<string, unknown>>

const read = (parameters: unknown) =>
  readManifest(manifestText({ capabilities: { tools: [weatherTool({ parameters })] } }), '/p/plugin.json', {
    amberVersion,
  })

async function checked(schema: Schema, args: unknown) {
  return (await compileParameters(schema)).check(args)
}

async function refused(schema: Schema, args: unknown): Promise<string> {
  const result = await checked(schema, args)
  assert(!result.ok, JSON.stringify(args))
  return result.message
}

test('MAN-8 parameters may be 2020-12 or draft-07 and may carry format and unknown annotations', async () => {
  const fine: readonly Schema[] = [
    {},
    { type: 'object' },
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      definitions: { a: {} },
      properties: { b: { $ref: '#/definitions/a' } },
    },
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { a: { type: 'array', prefixItems: [{}] } },
    },
    { type: 'object', properties: { a: { type: 'array', items: [{ type: 'string' }] } } },
    {
      type: 'object',
      properties: {
        at: { type: 'string', format: 'date-time' },
        u: { type: 'string', format: 'never-heard-of' },
      },
    },
    { type: 'object', properties: { a: { 'x-hint': 1, markdownDescription: 'b' } }, examples: [{}] },
    {
      type: 'object',
      properties: { $ref: { type: 'string' }, pattern: { type: 'string' }, constructor: { type: 'string' } },
    },
    {
      type: 'object',
      default: { $ref: 'http://x.test' },
      properties: { a: { enum: [{ $ref: 'file:///x' }] } },
    },
  ]
  for (const schema of fine) {
    const { diagnostics } = await read(schema)
    assert.deepEqual(diagnostics, [], JSON.stringify(schema))
  }
})

test('MAN-8 parameters that are no schema are refused at their place', async () => {
  const cases: readonly (readonly [unknown, string, string])[] = [
    [{ type: 'array' }, 'AMB2103', 'capabilities.tools[0].parameters.type'],
    [5, 'AMB2101', 'capabilities.tools[0].parameters'],
    [{ type: 'object', properties: { a: { type: 'strin' } } }, 'AMB2210', 'capabilities.tools[0].parameters'],
    [
      { type: 'object', properties: { a: { pattern: '(' } } },
      'AMB2210',
      'capabilities.tools[0].parameters.properties.a.pattern',
    ],
    [{ type: 'object', required: 'city' }, 'AMB2101', 'capabilities.tools[0].parameters.required'],
    [
      { $schema: 'http://json-schema.org/draft-03/schema#' },
      'AMB2210',
      'capabilities.tools[0].parameters.$schema',
    ],
    [{ properties: { a: { $ref: '#/$defs/none' } } }, 'AMB2210', 'capabilities.tools[0].parameters'],
  ]
  for (const [parameters, code, path] of cases) {
    const { manifest, diagnostics } = await read(parameters)
    assert.equal(manifest, undefined)
    assert.deepEqual(
      diagnostics.map((one) => [one.code, one.path]),
      [[code, path]],
      JSON.stringify(parameters),
    )
  }
})

test('MAN-8 a schema by itself is held to an object at the top', async () => {
  const findings = await checkParametersSchema({ type: 'array' })
  assert.deepEqual(
    findings.map(({ code, path }) => [code, path]),
    [['AMB2210', ['type']]],
  )
  assert.deepEqual(await checkParametersSchema({ properties: {} }), [])
})

test('MAN-8 reading, checking and typing a manifest fetches nothing and reads no file', async (t) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => server.close())
  const port = (server.address() as AddressInfo).port
  for (const target of [
    `http://127.0.0.1:${port}/a.json`,
    'package.json',
    'file:///etc/passwd',
    './x.json#/a',
  ]) {
    const parameters = { type: 'object', properties: { a: { items: { $ref: target } } } }
    const { manifest, diagnostics } = await read(parameters)
    assert.equal(manifest, undefined)
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['AMB2211'],
    )
    assert.deepEqual(
      (await checkParametersSchema(parameters)).map(({ code }) => code),
      ['AMB2211'],
    )
    assert.match(await refused(parameters, {}), /not a valid JSON Schema/)
    const good = await read({})
    assert(good.manifest)
    const [tool] = good.manifest.capabilities.tools
    assert(tool)
    const capabilities = { ...good.manifest.capabilities, tools: [{ ...tool, parameters }] }
    const types = await generateTypes({ ...good.manifest, capabilities })
    assert.match(types.text, /arguments: unknown/)
  }
  assert.deepEqual(asked, [])
})

test('MAN-8 a pattern that would freeze validation is stopped', async () => {
  const spent = await processorMs(async () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
    assert.deepEqual((await read(schema)).diagnostics, [])
    const check = await compileParameters(schema)
    assert.match(JSON.stringify(check.check({ a: `${'a'.repeat(50)}!` })), /took too long/)
    assert.deepEqual(check.check({ a: 'aaa' }), { ok: true, args: { a: 'aaa' } })
  })
  assert.ok(spent < 3_000, `${spent} ms`)
})

test('MAN-8 references that multiply are stopped', async () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `d${at}`,
      { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]),
  )
  const schema = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/d0' } },
    $defs: { ...$defs, d40: { type: 'string' } },
  }
  const spent = await processorMs(async () => {
    assert.match(await refused(schema, { a: 'x' }), /too long/)
  })
  assert.ok(spent < 6_000, `${spent} ms`)
})

test('TOOL-4 a mismatch says everything that is to be mended', async () => {
  const schema = {
    type: 'object',
    properties: {
      city: { type: 'string' },
      limit: { type: 'integer', maximum: 10 },
      unit: { enum: ['metric', 'imperial'] },
    },
    required: ['city'],
    additionalProperties: false,
  }
  assert.equal(
    await refused(schema, { citty: 'Rome', limit: 11, unit: 'metrik' }),
    `The arguments do not fit the parameters of the tool:
- unknown key "citty", did you mean "city"? (this may say: city, limit, unit)
- limit: must be at most 10, not 11
- unit: "metrik" is not legal here, did you mean "metric"? (legal: metric, imperial)
Mend them and call again.`,
  )
  assert.match(await refused(schema, {}), /the key "city" is missing/)
  assert.match(await refused(schema, { city: { x: 1 } }), /city: must be a string, not an object/)
  for (const args of [null, 'x', 5, [], undefined])
    assert.match(await refused(schema, args), /must be one JSON object/)
})

test('TOOL-4 and row J10: the one coercion is a string for a number, at any depth, and the input is never changed', async () => {
  const schema = {
    type: 'object',
    properties: {
      n: { type: 'number' },
      i: { type: 'integer' },
      list: { type: 'array', items: { type: 'object', properties: { n: { type: ['number', 'null'] } } } },
      either: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
      text: { type: 'string' },
      flag: { type: 'boolean' },
      defaulted: { type: 'string', default: 'x' },
    },
  }
  const args = Object.freeze({
    n: '-2.5e3',
    i: '5',
    list: Object.freeze([Object.freeze({ n: '7' })]),
    either: '3',
    text: '5',
  })
  assert.deepEqual(await checked(schema, args), {
    ok: true,
    args: { n: -2500, i: 5, list: [{ n: 7 }], either: 3, text: '5' },
  })
  assert.equal(args.n, '-2.5e3')
  for (const wrong of [
    { i: '5.5' },
    { i: '99999999999999999999' },
    { n: 'five' },
    { n: '' },
    { n: ' 5' },
    { n: '0x10' },
    { n: null },
    { n: true },
    { text: 5 },
    { flag: 'true' },
    { n: 'Infinity' },
  ]) {
    await refused(schema, wrong)
  }
})

test('TOOL-4 names of Object.prototype are arguments like any other', async () => {
  const schema = {
    type: 'object',
    properties: { constructor: { type: 'string' } },
    required: ['constructor'],
    additionalProperties: false,
  }
  assert.match(await refused(schema, {}), /"constructor" is missing/)
  assert.deepEqual(await checked(schema, { constructor: 'x' }), { ok: true, args: { constructor: 'x' } })
  assert.match(
    await refused({ type: 'object', additionalProperties: false }, JSON.parse('{"__proto__": 1}')),
    /unknown key "__proto__"/,
  )
})

test('TOOL-4 a schema that is none refuses the call and says so', async () => {
  assert.match(await refused({ type: 'nonsense' }, {}), /not a valid JSON Schema/)
})

test('TOOL-4 arguments that are not JSON, or JSON twice encoded, say what to mend; empty means {}', () => {
  assert.deepEqual(parseArguments(''), { ok: true, value: {} })
  assert.deepEqual(parseArguments(' \n'), { ok: true, value: {} })
  assert.deepEqual(parseArguments('{"a":[1]}'), { ok: true, value: { a: [1] } })
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['{"p":1}}', /not JSON/],
    ['{"p":', /not JSON/],
    ['"{\\"p\\":1}"', /encoded twice/],
    ['"text"', /must be one JSON object/],
    ['[1]', /must be one JSON object/],
    ['null', /must be one JSON object/],
    ['{"__proto__":{"a":1}}', /__proto__/],
    ['{"a":{"\\u005f_proto__":1}}', /__proto__/],
    ['['.repeat(200_000), /not JSON/],
  ]
  for (const [text, message] of wrong) {
    const parsed = parseArguments(text)
    assert(!parsed.ok, text)
    assert.match(parsed.message, message)
  }
  assert.deepEqual(parseArguments('{"a":"__proto__ in a text"}'), {
    ok: true,
    value: { a: '__proto__ in a text' },
  })
})

test('TOOL-4 checking never throws and never changes its input, whatever schema and arguments are', async () => {
  const schema = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc
      .dictionary(
        fc.string(),
        fc.constantFrom({ type: 'number' }, { type: 'string' }, { enum: [1] }, { $ref: '#' }),
      )
      .map((properties) => ({ type: 'object', properties })),
  )
  await fc.assert(
    fc.asyncProperty(schema, fc.jsonValue(), async (one, args) => {
      const before = JSON.stringify(args)
      const result = (await compileParameters(one)).check(args)
      assert.equal(typeof result.ok, 'boolean')
      assert.equal(JSON.stringify(args), before)
    }),
    { numRuns: 100 },
  )
})
