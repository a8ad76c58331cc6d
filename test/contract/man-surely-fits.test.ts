import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileSchema } from '../../manifests/compile-schema.ts'
import { readManifest } from '../../manifests/read-manifest.ts'
import { surelyFits } from '../../manifests/surely-fits.ts'

const leaf = fc.oneof(
  fc.constant({ type: 'string' }),
  fc.constant({ type: ['integer', 'null'] }),
  fc.record({ type: fc.constant('string'), minLength: fc.nat(3), maxLength: fc.nat(4) }),
  fc.record({
    type: fc.constant('number'),
    minimum: fc.integer({ min: -3, max: 3 }),
    exclusiveMaximum: fc.nat(5),
  }),
  fc.record({
    enum: fc.array(fc.oneof(fc.string({ maxLength: 1 }), fc.nat(3), fc.constant(null)), { minLength: 1 }),
  }),
  fc.record({ const: fc.oneof(fc.nat(2), fc.boolean()) }),
  fc.constant({ type: 'string', format: 'date' }),
  fc.constant({ pattern: '^a' }),
  fc.constant({ minLength: 1, description: 'no type' }),
)
const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'toString')
const schemas = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(2), maxItems: fc.nat(3) }),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
  ),
})).schema
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.integer({ min: -4, max: 6 }),
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
})).value

test('TOOL-4 what surely fits a schema, the validator takes: whatever the schema, whatever the value', () => {
  let sure = 0
  fc.assert(
    fc.property(schemas, values, (schema, value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value))
      if (!surelyFits(schema, plain)) return
      sure++
      assert.equal(compileSchema({ ...schema })(plain), true)
    }),
    { numRuns: 1500, seed: 7 },
  )
  assert.ok(sure > 50, `only ${sure} were sure`)
})

test('TOOL-4 arguments of amber’s own tools are sure; wrong ones, and schemas that are none, never', async () => {
  const parametersOf = async (plugin: string) => {
    const file = new URL(`../../plugins/${plugin}/plugin.json`, import.meta.url).pathname
    const { manifest } = await readManifest(readFileSync(file, 'utf8'), file, { amberVersion: '0.1.0' })
    return manifest?.capabilities.tools[0]?.parameters
  }
  assert.ok(readdirSync(new URL('../../plugins', import.meta.url)).includes('tool_read'))
  const read = await parametersOf('tool_read')
  assert.equal(surelyFits(read, { path: 'a', offset: 3 }), true)
  assert.equal(
    surelyFits(await parametersOf('tool_write'), { path: 'a', edits: [{ old: 'a', new: 'b' }] }),
    true,
  )
  assert.equal(surelyFits(await parametersOf('tool_bash'), { command: 'ls' }), true)
  for (const wrong of [
    {},
    { path: 1 },
    { path: 'a', offset: '5' },
    { path: 'a', offset: 0.5 },
    { path: 'a', more: 1 },
  ])
    assert.equal(surelyFits(read, wrong), false, JSON.stringify(wrong))
  for (const schema of [
    undefined,
    [],
    { type: 'strin' },
    { required: 'a' },
    { properties: { a: 1 } },
    { minimum: '1' },
  ])
    assert.equal(surelyFits(schema, { a: 1 }), false, JSON.stringify(schema))
})
