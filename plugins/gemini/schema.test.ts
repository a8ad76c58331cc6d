import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRecord } from 'amber-agent/sdk'
import fc from 'fast-check'
import { tidySchema } from '../../host/llm/schema.ts'
import { projectParameters } from './schema/project.ts'

/** A property's schema as it goes over the wire, made ready by the host first. */
function propertyOf(schema: unknown, more: Readonly<Record<string, unknown>> = {}): unknown {
  const projected = projectParameters(tidySchema({ type: 'object', properties: { p: schema }, ...more }))
  return isRecord(projected?.properties) ? projected.properties.p : undefined
}

test('J1 $schema, additionalProperties and the like are dropped at every depth', () => {
  const projected = projectParameters({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    additionalProperties: false,
    properties: {
      p: {
        type: 'object',
        additionalProperties: { type: 'string' },
        title: 'P',
        properties: { q: { type: 'string', default: 'x', pattern: '^a', examples: ['a'] } },
        required: ['q', 'gone'],
      },
    },
    required: ['p'],
  })
  assert.deepEqual(projected, {
    type: 'object',
    properties: { p: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] } },
    required: ['p'],
  })
})

test('J2 unions with null become nullable, exclusive bounds bounds, constants values, odd formats nothing', () => {
  const positive = {
    anyOf: [{ type: 'number', exclusiveMinimum: 0 }, { type: 'null' }],
    description: 'How much.',
  }
  assert.deepEqual(propertyOf(positive), {
    type: 'number',
    description: 'How much.',
    nullable: true,
    minimum: 0,
  })
  assert.deepEqual(propertyOf({ type: ['integer', 'null'], exclusiveMinimum: 0, exclusiveMaximum: 10 }), {
    type: 'integer',
    nullable: true,
    minimum: 1,
    maximum: 9,
  })
  assert.deepEqual(propertyOf({ const: 'a' }), { type: 'string', enum: ['a'] })
  assert.deepEqual(propertyOf({ anyOf: [{ const: 'a' }, { const: 'b' }, { const: null }] }), {
    type: 'string',
    nullable: true,
    enum: ['a', 'b'],
  })
  assert.deepEqual(propertyOf({ type: 'integer', enum: [1, 2] }), {
    type: 'integer',
    description: 'One of: 1, 2.',
  })
  assert.deepEqual(propertyOf({ type: 'string', format: 'uri' }), { type: 'string' })
  assert.deepEqual(propertyOf({ type: 'string', format: 'date-time' }), {
    type: 'string',
    format: 'date-time',
  })
})

test('J3 properties and required stand on objects only', () => {
  assert.deepEqual(propertyOf({ type: 'string', properties: {}, required: [] }), { type: 'string' })
})

test('J4 arrays of arrays, tuples and arrays of anything have items of one type', () => {
  const cell = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }
  assert.deepEqual(propertyOf({ type: 'array', items: cell }), {
    type: 'array',
    items: { type: 'array', items: { type: 'string' } },
  })
  assert.deepEqual(propertyOf({ type: 'array', items: { type: 'array', items: { type: 'number' } } }), {
    type: 'array',
    items: { type: 'array', items: { type: 'number' } },
  })
  assert.deepEqual(propertyOf({ type: 'array' }), { type: 'array', items: { type: 'string' } })
  assert.deepEqual(
    propertyOf({ type: 'array', prefixItems: [{ type: 'integer' }, { type: 'number' }], minItems: 2 }),
    {
      type: 'array',
      items: { type: 'number' },
      minItems: 2,
    },
  )
})

test('J5 a tool without parameters says nothing of them', () => {
  assert.equal(projectParameters(tidySchema({ type: 'object', additionalProperties: false })), undefined)
  assert.equal(projectParameters(tidySchema({})), undefined)
  assert.deepEqual(propertyOf({ type: 'object' }), { type: 'object' })
})

test('J2 references are followed, in circles too; allOf is merged; alternatives of objects become one', () => {
  const $defs = {
    node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, v: { type: 'string' } } },
  }
  const projected = JSON.stringify(propertyOf({ $ref: '#/$defs/node', description: 'A list.' }, { $defs }))
  assert.ok(projected.includes('"description":"A list."'))
  assert.ok(!projected.includes('$ref'))
  assert.deepEqual(
    propertyOf(
      { allOf: [{ $ref: '#/$defs/x' }, { required: ['a'] }] },
      { $defs: { x: { properties: { a: { type: 'string' } } } } },
    ),
    {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
    },
  )
  const file = {
    type: 'object',
    properties: { kind: { const: 'file' }, path: { type: 'string' } },
    required: ['kind', 'path'],
  }
  const url = {
    type: 'object',
    properties: { kind: { const: 'url' }, url: { type: 'string' } },
    required: ['kind', 'url'],
  }
  assert.deepEqual(propertyOf({ oneOf: [file, url] }), {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['file', 'url'] },
      path: { type: 'string' },
      url: { type: 'string' },
    },
    required: ['kind'],
  })
  assert.deepEqual(propertyOf({ $ref: '#/nowhere' }), { type: 'string' })
})

test('J2 the alternatives of a root are told as one object', () => {
  const parameters = {
    anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'number' } } }],
  }
  assert.deepEqual(projectParameters(tidySchema(parameters)), {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'number' } },
  })
})

const ALLOWED = new Set([
  ...['type', 'description', 'nullable', 'enum', 'format', 'properties', 'required', 'items'],
  ...['minItems', 'maxItems', 'minimum', 'maximum'],
])

function assertAccepted(schema: unknown): void {
  assert.ok(isRecord(schema))
  for (const keyword of Object.keys(schema)) assert.ok(ALLOWED.has(keyword), keyword)
  assert.ok(['object', 'array', 'string', 'number', 'integer', 'boolean'].includes(String(schema.type)))
  if (schema.enum !== undefined) assert.equal(schema.type, 'string')
  if (schema.type === 'array') assertAccepted(schema.items)
  if (schema.properties === undefined) assert.equal(schema.required, undefined)
  else if (isRecord(schema.properties)) Object.values(schema.properties).forEach(assertAccepted)
}

test('J1 J2 J3 J4 whatever the schema, only what the API accepts comes out, and nothing throws', () => {
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.record(
        {
          type: fc.oneof(
            fc.constantFrom('object', 'array', 'string', 'integer', 'null'),
            fc.constant(['number', 'null']),
          ),
          properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('schema')),
          required: fc.constant(['a', 'b']),
          items: tie('schema'),
          anyOf: fc.array(tie('schema'), { maxLength: 3 }),
          allOf: fc.array(tie('schema'), { maxLength: 2 }),
          enum: fc.array(fc.jsonValue({ maxDepth: 0 }), { maxLength: 2 }),
          $ref: fc.constantFrom('#', '#/properties/a', '#/x', 'http://x.test'),
          exclusiveMinimum: fc.integer(),
          format: fc.constantFrom('uri', 'int32'),
          additionalProperties: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    ),
  }))
  fc.assert(
    fc.property(schema, (given) => {
      const projected = projectParameters(tidySchema(given))
      if (projected !== undefined) assertAccepted(projected)
    }),
    { numRuns: 200 },
  )
})
