import type { ToolDefinition } from 'amber-agent/sdk'
import { isRecord, type JsonRecord, listOf, recordOf } from './json.ts'
import type { WireBlock } from './wire-message.ts'

/** A tool as the API takes it. */
export function writeTool({ name, description, parameters }: ToolDefinition): WireBlock {
  return { name, description, input_schema: projectSchema(parameters) }
}

/**
 * The API takes JSON Schema as it is, but for a combination at the root: its alternatives become optional properties;
 * amber checks the arguments against the real schema.
 */
function projectSchema(schema: JsonRecord): JsonRecord {
  if (!('anyOf' in schema || 'oneOf' in schema || 'allOf' in schema)) return schema
  const { anyOf, oneOf, allOf, ...rest } = schema
  const all = listOf(allOf).filter(isRecord)
  const parts = [...listOf(anyOf), ...listOf(oneOf)].filter(isRecord)
  const properties = Object.assign(
    {},
    ...[...parts, ...all, schema].map((part) => recordOf(part.properties) ?? {}),
  )
  const required = [schema, ...all].flatMap((part) => listOf(part.required))
  return {
    ...rest,
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  }
}
