import { isRecord, type JsonRecord, listOf, recordOf } from '../../sdk/index.ts'

const MAX_DEPTH = 64
const SCHEMAS_BY_NAME = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
] as const
const SCHEMAS = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
] as const
const SCHEMA_LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const

/**
 * A tool's schema as any vendor accepts it: the root is an object with `properties` (J5), and `properties` and
 * `required` stand on objects only (J3). Says the same of every valid argument; never throws.
 */
export function tidySchema(schema: unknown): JsonRecord {
  const root = recordOf(tidy(schema, 0)) ?? {}
  const combined = [...SCHEMA_LISTS, '$ref'].some((keyword) => keyword in root)
  return {
    ...root,
    type: 'object',
    ...(combined && !('properties' in root) ? {} : { properties: recordOf(root.properties) ?? {} }),
  }
}

function tidy(schema: unknown, depth: number): unknown {
  if (!isRecord(schema) || depth > MAX_DEPTH) return schema
  const result: Record<string, unknown> = { ...schema }
  if (!canBeObject(schema)) {
    delete result.properties
    delete result.required
  }
  if ('required' in result && listOf(result.required).length === 0) delete result.required
  for (const keyword of SCHEMAS_BY_NAME) {
    const named = recordOf(result[keyword])
    if (named === undefined) continue
    result[keyword] = Object.fromEntries(
      Object.entries(named).map(([name, value]) => [name, tidy(value, depth + 1)]),
    )
  }
  for (const keyword of SCHEMAS)
    if (isRecord(result[keyword])) result[keyword] = tidy(result[keyword], depth + 1)
  for (const keyword of SCHEMA_LISTS) {
    const list = result[keyword]
    if (Array.isArray(list)) result[keyword] = list.map((value) => tidy(value, depth + 1))
  }
  return result
}

function canBeObject(schema: JsonRecord): boolean {
  const type = schema.type
  if (type === undefined) return true
  return Array.isArray(type) ? type.includes('object') : type === 'object'
}
