import { isRecord } from '../sdk/index.ts'

/**
 * Whether a schema is so plain that it is valid at a glance: types, properties, bounds, enums, and nothing that needs
 * a compiler to judge. What is not plain may be valid all the same; then the slow way says so.
 */
export function isPlainSchema(schema: unknown): boolean {
  return isRecord(schema) && Object.entries(schema).every(([key, value]) => isPlainKeyword(key, value))
}

const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])

function isPlainKeyword(key: string, value: unknown): boolean {
  const fits = Object.hasOwn(keywords, key) ? keywords[key] : undefined
  return fits === undefined ? key.startsWith('x-') : fits(value)
}

type Check = (value: unknown) => boolean

const isString: Check = (value) => typeof value === 'string'
const isNumber: Check = (value) => typeof value === 'number'
const isBoolean: Check = (value) => typeof value === 'boolean'
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0
const isType: Check = (value) => typeof value === 'string' && types.has(value)
const isSetOf =
  (fits: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(fits) && new Set(value).size === value.length
const isSchemas: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(isPlainSchema)

const keywords: Readonly<Record<string, Check>> = {
  additionalProperties: (value) => isBoolean(value) || isPlainSchema(value),
  allOf: isSchemas,
  anyOf: isSchemas,
  const: () => true,
  default: () => true,
  description: isString,
  enum: isSetOf((one) => isString(one) || isNumber(one) || isBoolean(one) || one === null),
  examples: Array.isArray,
  format: isString,
  items: isPlainSchema,
  maximum: isNumber,
  maxItems: isCount,
  maxLength: isCount,
  minimum: isNumber,
  minItems: isCount,
  minLength: isCount,
  oneOf: isSchemas,
  properties: (value) => isRecord(value) && Object.values(value).every(isPlainSchema),
  required: isSetOf(isString),
  title: isString,
  type: (value) => isType(value) || isSetOf(isType)(value),
  uniqueItems: isBoolean,
}
