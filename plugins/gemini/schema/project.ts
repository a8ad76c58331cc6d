import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from 'amber-agent/sdk'
import { type Alternative, alternativesOf, type SchemaType, TYPES } from './alternatives.ts'

/** The formats that each type may have; any other is refused. */
const FORMATS: Readonly<Partial<Record<SchemaType, readonly string[]>>> = {
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
  string: ['date-time'],
}
const MOST_DEPTH = 24
const MOST_SCHEMAS = 5000

interface Work {
  readonly root: JsonRecord
  left: number
}

/**
 * A tool's parameters as the API takes them (bundled-plugins 4, rows J1 to J4): at every depth one type, and only
 * `description`, `nullable`, `enum`, `format`, `properties`, `required`, `items` and bounds. A union becomes the one
 * of its types that can say the most. Undefined when there is no parameter, since an empty object is refused.
 */
export function projectParameters(parameters: JsonRecord): JsonRecord | undefined {
  const projected = project({ ...parameters, type: 'object' }, { root: parameters, left: MOST_SCHEMAS }, 0)
  return 'properties' in projected ? projected : undefined
}

function project(schema: JsonRecord, work: Work, depth: number): JsonRecord {
  work.left--
  const { list, nullable } = alternativesOf(schema, work.root)
  const type = TYPES.find((one) => list.some((alternative) => alternative.type === one)) ?? 'string'
  const chosen = list.filter((alternative) => alternative.type === type || isNumber(alternative, type))
  const described = textOf(schema.description) || textOf(chosen[0]?.schema.description)
  const values = valuesOf(chosen)
  const notes = [described, type === 'string' || values.length === 0 ? '' : `One of: ${values.join(', ')}.`]
  const description = notes.filter((note) => note !== '').join(' ')
  return {
    type,
    ...(description === '' ? {} : { description }),
    ...(nullable ? { nullable: true } : {}),
    ...(work.left < 0 || depth > MOST_DEPTH
      ? shallow(type)
      : members(type, { chosen, values, list }, work, depth)),
  }
}

interface Chosen {
  readonly chosen: readonly Alternative[]
  readonly values: readonly string[]
  readonly list: readonly Alternative[]
}

function members(type: SchemaType, { chosen, values, list }: Chosen, work: Work, depth: number): JsonRecord {
  const [only, ...others] = chosen
  const schema = others.length === 0 ? only?.schema : undefined
  switch (type) {
    case 'object':
      return objectMembers(chosen, work, depth)
    case 'array':
      return {
        items: project(itemsOf(chosen), work, depth + 1),
        ...(schema === undefined ? {} : bounds(schema, ['minItems', 'maxItems'])),
      }
    case 'string':
      // Other types beside it would make the list of values a lie.
      return values.length > 0 && list.length === chosen.length ? { enum: values } : format(type, schema)
    case 'boolean':
      return {}
    default:
      return { ...format(type, schema), ...(schema === undefined ? {} : numberBounds(type, schema)) }
  }
}

function shallow(type: SchemaType): JsonRecord {
  return type === 'array' ? { items: { type: 'string' } } : {}
}

/** An integer is a number, where both are allowed. */
function isNumber(alternative: Alternative, type: SchemaType): boolean {
  return type === 'number' && alternative.type === 'integer'
}

/** Properties of every alternative; required is what all of them require. */
function objectMembers(chosen: readonly Alternative[], work: Work, depth: number): JsonRecord {
  const byName = new Map<string, JsonRecord[]>()
  for (const { schema } of chosen) {
    for (const [name, property] of Object.entries(recordOf(schema.properties) ?? {})) {
      byName.set(name, [...(byName.get(name) ?? []), isRecord(property) ? property : {}])
    }
  }
  if (byName.size === 0) return {}
  const properties = [...byName].map(([name, all]): [string, JsonRecord] => {
    const [only, ...others] = all
    return [name, project(others.length === 0 && only ? only : { anyOf: all }, work, depth + 1)]
  })
  const required = [...byName.keys()].filter((name) =>
    chosen.every(({ schema }) => listOf(schema.required).includes(name)),
  )
  return {
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  }
}

/** What an element may be; a tuple's elements may each be any of its places. */
function itemsOf(chosen: readonly Alternative[]): JsonRecord {
  const all = chosen
    .flatMap(({ schema }) => [
      ...listOf(schema.prefixItems),
      ...(Array.isArray(schema.items) ? schema.items : [schema.items]),
    ])
    .filter(isRecord)
  const [only, ...others] = all
  return others.length === 0 ? (only ?? {}) : { anyOf: all }
}

/** The values that are named, when every alternative names some; null is told by `nullable`. */
function valuesOf(chosen: readonly Alternative[]): readonly string[] {
  const named = chosen.map(({ schema }) => ('const' in schema ? [schema.const] : listOf(schema.enum)))
  if (named.some((values) => values.length === 0)) return []
  const values = named.flat().filter((value) => value !== null && value !== '' && typeof value !== 'object')
  return [...new Set(values.map(String))]
}

function format(type: SchemaType, schema: JsonRecord | undefined): JsonRecord {
  const named = textOf(schema?.format)
  return FORMATS[type]?.includes(named) ? { format: named } : {}
}

function bounds(schema: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(
    names.filter((name) => numberOf(schema[name]) !== undefined).map((name) => [name, schema[name]]),
  )
}

/** Exclusive bounds are refused: for an integer the next one is the bound, for a number the same. */
function numberBounds(type: SchemaType, schema: JsonRecord): JsonRecord {
  const step = type === 'integer' ? 1 : 0
  const above = numberOf(schema.exclusiveMinimum)
  const below = numberOf(schema.exclusiveMaximum)
  return {
    ...(above === undefined ? {} : { minimum: above + step }),
    ...(below === undefined ? {} : { maximum: below - step }),
    ...bounds(schema, ['minimum', 'maximum']),
  }
}
