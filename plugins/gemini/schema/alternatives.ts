import { isRecord, type JsonRecord, listOf, textOf } from 'amber-agent/sdk'
import { mergeSchemas, resolveSchema } from './references.ts'

/** The types that the API knows, the one that can say the most first. */
export const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean'] as const

/** One of them. */
export type SchemaType = (typeof TYPES)[number]

/** A schema of exactly one type, with no union in it. */
export interface Alternative {
  readonly type: SchemaType
  readonly schema: JsonRecord
}

/** What a schema allows. */
export interface Alternatives {
  readonly list: readonly Alternative[]
  /** It allows null, too. */
  readonly nullable: boolean
}

const MOST_ALTERNATIVES = 64
const MOST_DEPTH = 8

/** Takes a schema apart: unions, lists of types, constants and null become a flat list (J2, J4). */
export function alternativesOf(schema: JsonRecord, root: JsonRecord, depth = 0): Alternatives {
  const resolved = resolveSchema(schema, root)
  const { anyOf, oneOf, ...base } = resolved
  const union = [...listOf(anyOf), ...listOf(oneOf)].filter(isRecord).slice(0, MOST_ALTERNATIVES)
  if (union.length === 0 || depth > MOST_DEPTH) return ofTypes(base)
  const parts = union.map((part) =>
    alternativesOf(mergeSchemas(base, resolveSchema(part, root)), root, depth + 1),
  )
  return {
    list: parts.flatMap(({ list }) => list).slice(0, MOST_ALTERNATIVES),
    nullable: parts.some(({ nullable }) => nullable),
  }
}

function ofTypes(schema: JsonRecord): Alternatives {
  const named = Array.isArray(schema.type) ? schema.type : [schema.type]
  const types = named.map((type) => textOf(type).toLowerCase())
  const known = TYPES.filter((type) => types.includes(type))
  const nullable =
    types.includes('null') ||
    schema.nullable === true ||
    schema.const === null ||
    listOf(schema.enum).includes(null)
  const onlyNull = schema.const === null || (types.every((type) => type === 'null') && types.length > 0)
  if (onlyNull) return { list: [], nullable: true }
  const list = known.length > 0 ? known : [inferType(schema)]
  return { list: list.map((type) => ({ type, schema })), nullable }
}

/** What a schema that names no type means; anything at all is told as text. */
function inferType(schema: JsonRecord): SchemaType {
  if (isRecord(schema.properties) || isRecord(schema.additionalProperties)) return 'object'
  if ('items' in schema || 'prefixItems' in schema) return 'array'
  const value = 'const' in schema ? schema.const : listOf(schema.enum).find((one) => one !== null)
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  return 'string'
}
