type Schema = Readonly<Record<string, unknown>>
type Rule = (value: unknown, parameter: unknown, depth: number, schema: Schema) => boolean

/** Deeper schemas go the long way. */
const MAX_DEPTH = 16

/**
 * Whether a value plainly fits a schema. Of `true` one can be sure; `false` says nothing: the schema may use more of JSON
 * Schema than is known here, and a validator has to judge. Most calls of most tools fit, and need no validator loaded.
 */
export function surelyFits(schema: unknown, value: unknown, depth = 0): boolean {
  if (!isObject(schema) || depth > MAX_DEPTH) return false
  return Object.entries(schema).every(
    ([keyword, parameter]) =>
      SILENT.has(keyword) ||
      keyword.startsWith('x-') ||
      RULES.get(keyword)?.(value, parameter, depth, schema) === true,
  )
}

/** Keywords that refuse nothing. */
const SILENT: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  'deprecated',
])

const TYPES: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map([
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => typeof value === 'number' && Number.isFinite(value)],
  ['integer', Number.isInteger],
  ['boolean', (value) => typeof value === 'boolean'],
  ['null', (value) => value === null],
  ['array', Array.isArray],
  ['object', isObject],
])

const isCount = (limit: unknown): limit is number =>
  typeof limit === 'number' && Number.isInteger(limit) && limit >= 0
const isLimit = (limit: unknown): limit is number => typeof limit === 'number' && Number.isFinite(limit)
const isPlain = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** What is no number passes every rule about numbers, and so on, as JSON Schema has it. */
const number =
  (holds: (value: number, limit: number) => boolean): Rule =>
  (value, limit) =>
    isLimit(limit) && (typeof value !== 'number' || holds(value, limit))

const length =
  (sizeOf: (value: unknown) => number | undefined, holds: (size: number, limit: number) => boolean): Rule =>
  (value, limit) => {
    const size = sizeOf(value)
    return isCount(limit) && (size === undefined || holds(size, limit))
  }

/** In characters, not in halves of them. */
const characters = (value: unknown) => (typeof value === 'string' ? [...value].length : undefined)
const items = (value: unknown) => (Array.isArray(value) ? value.length : undefined)

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    'type',
    (value, type) => {
      const names: readonly unknown[] = Array.isArray(type) ? type : [type]
      return names.every((name) => TYPES.has(name)) && names.some((name) => TYPES.get(name)?.(value) === true)
    },
  ],
  ['enum', (value, list) => Array.isArray(list) && list.every(isPlain) && list.includes(value)],
  ['const', (value, only) => isPlain(only) && value === only],
  ['minimum', number((value, limit) => value >= limit)],
  ['maximum', number((value, limit) => value <= limit)],
  ['exclusiveMinimum', number((value, limit) => value > limit)],
  ['exclusiveMaximum', number((value, limit) => value < limit)],
  ['minLength', length(characters, (size, limit) => size >= limit)],
  ['maxLength', length(characters, (size, limit) => size <= limit)],
  ['minItems', length(items, (size, limit) => size >= limit)],
  ['maxItems', length(items, (size, limit) => size <= limit)],
  [
    'items',
    (value, schema, depth) =>
      isObject(schema) && (!Array.isArray(value) || value.every((one) => surelyFits(schema, one, depth + 1))),
  ],
  [
    'required',
    (value, names) =>
      Array.isArray(names) &&
      names.every((name) => typeof name === 'string' && (!isObject(value) || has(value, name))),
  ],
  [
    'properties',
    (value, properties, depth) =>
      isObject(properties) &&
      (!isObject(value) ||
        Object.entries(properties).every(
          ([name, schema]) =>
            isObject(schema) && (!has(value, name) || surelyFits(schema, value[name], depth + 1)),
        )),
  ],
  [
    'additionalProperties',
    (value, allowed, _depth, { properties = {} }) => {
      if (allowed === true || !isObject(value)) return typeof allowed === 'boolean'
      return (
        allowed === false &&
        isObject(properties) &&
        Object.keys(value).every((name) => Object.hasOwn(properties, name))
      )
    },
  ],
])

function has(value: Schema, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
