import { isRecord, type JsonRecord, listOf, recordOf } from '../../../sdk/index.ts'

/** Keywords that the API refuses at the root of `parameters`; anywhere below they are fine. */
const COMBINATIONS = ['anyOf', 'oneOf', 'allOf'] as const

/**
 * The schema as OpenAI's API takes it: the root is one object, with no combination, `enum` or `not` beside it. The
 * alternatives of a combined root become optional properties; amber validates the arguments against the real schema.
 */
export function projectOpenAiSchema(schema: JsonRecord): JsonRecord {
  const refused = [...COMBINATIONS, 'enum', 'not'].some((keyword) => keyword in schema)
  if (!refused) return schema
  const { anyOf, oneOf, allOf, enum: _enum, not: _not, ...rest } = schema
  const all = listOf(allOf).filter(isRecord)
  const alternatives = [...listOf(anyOf), ...listOf(oneOf)].filter(isRecord)
  const properties: Record<string, unknown> = {}
  for (const part of [...alternatives, ...all, schema]) Object.assign(properties, recordOf(part.properties))
  const required = [schema, ...all].flatMap((part) => listOf(part.required))
  return {
    ...rest,
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  }
}
