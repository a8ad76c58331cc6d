import { isRecord, type JsonRecord, listOf, recordOf, type ToolDefinition } from 'amber-agent/sdk'
import type { WireBlock } from './wire-message.ts'

/** A tool as the API takes it. */
export function writeTool({ name, description, parameters }: ToolDefinition): WireBlock {
  return { name, description, input_schema: projectSchema(parameters) }
}

/** What the API allows as the name of a parameter: one other name, and it refuses every request that offers the tool. */
const LEGAL_NAME = /^[a-zA-Z0-9_.-]{1,64}$/

/**
 * The API takes JSON Schema as it is, but for two things at the root. A combination: its alternatives become optional
 * properties. A name that it refuses: that parameter is left out. amber checks the arguments against the real schema.
 */
function projectSchema(schema: JsonRecord): JsonRecord {
  const { anyOf, oneOf, allOf, properties, required, ...rest } = schema
  const all = [...listOf(allOf), schema].filter(isRecord)
  const parts = [...listOf(anyOf), ...listOf(oneOf), ...all].filter(isRecord)
  const named = parts.flatMap((part) => Object.entries(recordOf(part.properties) ?? {}))
  const needed = new Set(all.flatMap((part) => listOf(part.required)).filter(isLegal))
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(named.filter(([name]) => isLegal(name))),
    ...(needed.size === 0 ? {} : { required: [...needed] }),
  }
}

function isLegal(name: unknown): boolean {
  return typeof name === 'string' && LEGAL_NAME.test(name)
}
