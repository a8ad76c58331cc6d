import { isRecord } from './declared.ts'

/**
 * Whether a schema is so plain that it is valid at a glance: types, properties, bounds, enums, and nothing that needs
 * a compiler to judge. What is not plain may be valid all the same; then the slow way says so.
 */
export function isPlainSchema(schema: unknown): boolean {
  return isRecord(schema) && Object.entries(schema).every(([key, value]) => isPlainKeyword(key, value))
}

const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])

function isPlainKeyword(key: string, value: unknown): boolean {
  switch (key) {
    case 'type':
      return typeof value === 'string' && types.has(value)
    case 'title':
    case 'description':
      return typeof value === 'string'
    case 'default':
      return true
    case 'enum':
      return isListOf(value, (one) => typeof one === 'string') && new Set(value).size === value.length
    case 'required':
      return isListOf(value, (one) => typeof one === 'string') && new Set(value).size === value.length
    case 'properties':
      return isRecord(value) && Object.values(value).every(isPlainSchema)
    case 'items':
      return isPlainSchema(value)
    case 'additionalProperties':
      return typeof value === 'boolean' || isPlainSchema(value)
    case 'minimum':
    case 'maximum':
      return typeof value === 'number'
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
      return typeof value === 'number' && Number.isInteger(value) && value >= 0
    default:
      return key.startsWith('x-')
  }
}

function isListOf(value: unknown, fits: (one: unknown) => boolean): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(fits)
}
