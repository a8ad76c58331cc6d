import { listOf, recordOf, textOf } from 'amber-agent/sdk'

/** One parameter, as far as the rehearsal understands its schema. */
export interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'object'
  readonly integer: boolean
  readonly choices: readonly unknown[]
  /** Says where something is: a file, a folder. */
  readonly isPath: boolean
  readonly isGlob: boolean
  readonly schema: Readonly<Record<string, unknown>>
}

const PATH = /(?:^|_)(?:path|file|filename|filepath|dir|directory|folder|cwd)s?$/i
const GLOB = /^(?:glob|include|mask|file_pattern)$/i

/** The parameters of an object schema, in order. */
export function readParameters(schema: Readonly<Record<string, unknown>>): readonly Parameter[] {
  const required = new Set(listOf(schema.required))
  return Object.entries(recordOf(schema.properties) ?? {}).map(([name, value]) => {
    const own = resolve(recordOf(value) ?? {}, schema)
    const type = typeOf(own)
    return {
      name,
      required: required.has(name),
      type: type === 'integer' ? 'number' : type,
      integer: type === 'integer',
      choices: 'const' in own ? [own.const] : listOf(own.enum),
      isPath: PATH.test(snake(name)),
      isGlob: GLOB.test(name),
      schema: own,
    }
  })
}

function snake(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1_$2')
}

/** The schema behind a local reference, or the first real alternative. */
function resolve(
  schema: Readonly<Record<string, unknown>>,
  root: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const name = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(textOf(schema.$ref))
  const target = name === null ? undefined : recordOf(recordOf(root[name[1] ?? ''])?.[name[2] ?? ''])
  if (target !== undefined) return target
  const alternatives = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  const records = alternatives.map(recordOf).filter((one) => one !== undefined)
  return records.find(({ type }) => type !== 'null' && type !== undefined) ?? schema
}

function typeOf(schema: Readonly<Record<string, unknown>>): Parameter['type'] | 'integer' {
  const named = Array.isArray(schema.type) ? schema.type.find((type) => type !== 'null') : schema.type
  switch (named) {
    case 'number':
    case 'integer':
    case 'boolean':
    case 'array':
    case 'object':
      return named
    default:
      return schema.properties === undefined ? 'string' : 'object'
  }
}
