/** A JSON Schema, of which nothing is believed. */
export type Schema = Readonly<Record<string, unknown>>

/** What a form offers for a schema. */
export type FieldKind =
  | 'fixed'
  | 'choice'
  | 'boolean'
  | 'number'
  | 'text'
  | 'object'
  | 'list'
  | 'variants'
  | 'nothing'
  | 'json'

/** Levels that are drawn before a field is left to JSON text. */
const MAX_DEPTH = 12

/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** How much more may be followed or made: schemas that refer to themselves have no end. */
interface Budget {
  left: number
}

/** References and parts of `allOf` that one schema may lead to, and values that a form may begin with. */
const MAX_PARTS = 100
const MAX_VALUES = 500

/** Follows `$ref` within the schema and lays the parts of `allOf` over one another; `{}` for what is no schema. */
export function resolve(schema: unknown, root: Schema, budget: Budget = { left: MAX_PARTS }): Schema {
  budget.left -= 1
  if (!isObject(schema) || budget.left < 0) return {}
  if (typeof schema.$ref === 'string') {
    const { $ref, ...rest } = schema
    return { ...resolve(at(root, $ref), root, budget), ...rest }
  }
  if (!Array.isArray(schema.allOf)) return schema
  const { allOf, ...rest } = schema
  const all = [...allOf.map((one: unknown) => resolve(one, root, budget)), rest]
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map((one) => one.properties)),
    required: all.flatMap((one) => (Array.isArray(one.required) ? one.required : [])),
  }
}

function at(root: Schema, pointer: string): unknown {
  if (!pointer.startsWith('#')) return undefined
  let here: unknown = root
  for (const part of pointer.slice(1).split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    here = isObject(here) && Object.hasOwn(here, key) ? here[key] : undefined
  }
  return here
}

/** The schemas of which a value may fit one; none for a schema that leaves no choice. */
export function variantsOf(schema: Schema): readonly Schema[] {
  const list = schema.oneOf ?? schema.anyOf
  const { oneOf: _one, anyOf: _any, ...rest } = schema
  if (Array.isArray(list)) return list.filter(isObject).map((one) => ({ ...rest, ...one }))
  if (Array.isArray(schema.type)) return schema.type.map((type: unknown) => ({ ...schema, type }))
  return []
}

/** What a resolved schema is drawn as, at a depth. */
export function kindOf(schema: Schema, depth: number): FieldKind {
  if (depth > MAX_DEPTH) return 'json'
  if ('const' in schema) return 'fixed'
  if (Array.isArray(schema.enum)) return 'choice'
  if (variantsOf(schema).length > 0) return 'variants'
  if (schema.type === 'boolean') return 'boolean'
  if (schema.type === 'number' || schema.type === 'integer') return 'number'
  if (schema.type === 'string') return 'text'
  if (schema.type === 'null') return 'nothing'
  if (schema.type === 'array') return 'list'
  if (schema.type === 'object' || isObject(schema.properties)) return 'object'
  return 'json'
}

/** The properties of an object's schema, in its order. */
export function propertiesOf(schema: Schema): readonly (readonly [string, unknown])[] {
  return isObject(schema.properties) ? Object.entries(schema.properties) : []
}

/** Whether an object must have a property. */
export function isRequired(schema: Schema, name: string): boolean {
  return Array.isArray(schema.required) && schema.required.includes(name)
}

/** The schema of properties that have no name of their own; undefined where a form offers none. */
export function openSchemaOf(schema: Schema): Schema | undefined {
  if (isObject(schema.additionalProperties)) return schema.additionalProperties
  const named = propertiesOf(schema).length > 0
  return schema.additionalProperties === true || (!named && schema.additionalProperties !== false)
    ? {}
    : undefined
}

/** Variants by the name that a person chooses them by. */
export function titleOf(schema: Schema, index: number): string {
  for (const one of [schema.title, schema.const]) if (typeof one === 'string') return one
  return typeof schema.type === 'string' ? schema.type : `variant ${index + 1}`
}

/** What a form begins with: defaults, and of the rest what must be there. */
export function initialOf(
  schema: unknown,
  root: Schema,
  depth = 0,
  budget: Budget = { left: MAX_VALUES },
): unknown {
  budget.left -= 1
  const own = resolve(schema, root)
  if (own.default !== undefined) return own.default
  const kind = budget.left < 0 ? 'json' : kindOf(own, depth)
  const inner = (one: unknown) => initialOf(one, root, depth + 1, budget)
  if (kind === 'fixed') return own.const
  if (kind === 'choice') return Array.isArray(own.enum) ? own.enum[0] : ''
  if (kind === 'variants') return inner(variantsOf(own)[0])
  if (kind === 'boolean') return false
  if (kind === 'nothing') return null
  if (kind === 'list') {
    const least = typeof own.minItems === 'number' ? Math.min(own.minItems, 20) : 0
    return Array.from({ length: least }, () => inner(own.items))
  }
  if (kind !== 'object') return kind === 'json' ? {} : ''
  const entries = propertiesOf(own).flatMap(([name, property]) => {
    const hasDefault = resolve(property, root).default !== undefined
    return isRequired(own, name) || hasDefault ? [[name, inner(property)] as const] : []
  })
  return Object.fromEntries(entries)
}

/** A place in a value as the host writes it: `a.b[0]`. */
export function placeOf(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    if (!/^[A-Za-z_$][\w$-]*$/.test(step)) return `${text}[${JSON.stringify(step)}]`
    return text === '' ? step : `${text}.${step}`
  }, '')
}

/** What the host found wrong, by place; `''` for what is about the whole. */
export function mistakesIn(message: string): ReadonlyMap<string, string> {
  const mistakes = new Map<string, string>()
  for (const [, text = ''] of message.matchAll(/^- (.*)$/gm)) {
    const [, place = '', what = text] =
      /^((?:[\w$-]|\.|\[(?:\d+|"(?:[^"\\]|\\.)*")\])+): (.*)$/.exec(text) ?? []
    mistakes.set(place, [mistakes.get(place), what].filter(Boolean).join('; '))
  }
  if (mistakes.size === 0 && message !== '') mistakes.set('', message)
  return mistakes
}
