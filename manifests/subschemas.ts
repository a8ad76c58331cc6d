import { isRecord } from '../sdk/index.ts'
import type { Path } from './finding.ts'

/** Keywords that hold one schema, a list of them, or schemas by name; 2020-12 and draft-07. */
const single = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const listed = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']
const named = ['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties']

/** A schema within a schema, with its path from the top. */
export interface Subschema {
  readonly schema: Readonly<Record<string, unknown>>
  readonly path: Path
}

/** A schema and all schemas in it. What is data in it (`default`, `enum`, `examples`) is left alone. */
export function* subschemas(schema: unknown, path: Path = []): Generator<Subschema> {
  if (!isRecord(schema)) return
  yield { schema, path }
  for (const key of single) yield* subschemas(schema[key], [...path, key])
  for (const key of listed) yield* inList(schema[key], [...path, key])
  for (const key of named) yield* inRecord(schema[key], [...path, key])
}

function* inList(list: unknown, path: Path): Generator<Subschema> {
  if (!Array.isArray(list)) return
  for (const [index, one] of list.entries()) yield* subschemas(one, [...path, index])
}

function* inRecord(record: unknown, path: Path): Generator<Subschema> {
  if (!isRecord(record)) return
  for (const [key, one] of Object.entries(record)) yield* subschemas(one, [...path, key])
}
