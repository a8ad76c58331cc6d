import assert from 'node:assert/strict'
import test from 'node:test'
import {
  initialOf,
  kindOf,
  mistakesIn,
  placeOf,
  resolve,
  variantsOf,
} from '../../devserver/inspector/page/form/schema.ts'
import { compileParameters } from '../../manifests/parameters.ts'
import { processorMs } from '../support/processor-time.ts'

test('DEV-1 a form begins with defaults and with what must be there', () => {
  const schema = {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer', default: 3 },
      wind: { type: 'boolean' },
      place: { $ref: '#/$defs/place' },
      kind: { const: 'now' },
      unit: { enum: ['c', 'f'] },
      tags: { type: 'array', minItems: 2, items: { type: 'string' } },
      when: { anyOf: [{ type: 'null' }, { type: 'string' }] },
    },
    $defs: {
      place: {
        allOf: [
          { properties: { lat: { type: 'number' } }, required: ['lat'] },
          { properties: { wet: { type: 'boolean' } }, required: ['wet'] },
        ],
      },
    },
    required: ['city', 'place', 'kind', 'unit', 'tags', 'when'],
  }
  assert.deepEqual(initialOf(schema, schema), {
    city: '',
    days: 3,
    place: { lat: '', wet: false },
    kind: 'now',
    unit: 'c',
    tags: ['', ''],
    when: null,
  })
})

test('DEV-1 schemas without end, and what is no schema, end in a form', async () => {
  const wide = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`p${index}`, { $ref: '#' }]))
  const endless = { type: 'object', properties: wide, required: Object.keys(wide) }
  const spent = await processorMs(() => {
    assert.equal(typeof initialOf(endless, endless), 'object')
    const laughing = { allOf: [{ $ref: '#' }, { $ref: '#' }, { $ref: '#' }] }
    assert.equal(typeof resolve(laughing, laughing), 'object')
    const looping = { $ref: '#' }
    assert.deepEqual(resolve(looping, looping), {})
  })
  assert.ok(spent < 2_000, `${spent} ms`)
  for (const nonsense of [
    undefined,
    null,
    7,
    'x',
    [],
    { type: 7 },
    { $ref: 'http://other' },
    { enum: 'x' },
    { properties: 3 },
  ])
    assert.equal(kindOf(resolve(nonsense, {}), 0), 'json')
  assert.deepEqual(
    variantsOf({ type: ['string', 'null'] }).map((one) => one.type),
    ['string', 'null'],
  )
})

test('DEV-1 the host’s words are put at the fields that they name', async () => {
  const { check } = await compileParameters({
    type: 'object',
    properties: {
      days: { type: 'integer' },
      list: { type: 'array', items: { type: 'object', properties: { 'odd key': { type: 'string' } } } },
    },
    required: ['city'],
    additionalProperties: false,
  })
  const checked = check({ days: 'x', list: [{ 'odd key': 7 }], other: 1 })
  const mistakes = mistakesIn(checked.ok ? '' : checked.message)
  assert.ok(mistakes.has(placeOf(['days'])), [...mistakes.keys()].join())
  assert.ok(mistakes.has(placeOf(['list', 0, 'odd key'])), [...mistakes.keys()].join())
  assert.match(mistakes.get('') ?? '', /city/)
  assert.deepEqual([...mistakesIn('')], [])
  assert.deepEqual([...mistakesIn('The arguments are none.')], [['', 'The arguments are none.']])
})
