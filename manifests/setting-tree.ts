import type { CommandNode } from './command-node.ts'
import config from './config.schema.json' with { type: 'json' }

/** One setting of `config.json`, as its schema says it. */
export interface Setting {
  /** Dotted: `approval.timeoutSeconds`. */
  readonly key: string
  readonly description: string
  /** Amber's own; undefined where there is none. */
  readonly fallback: string | number | boolean | undefined
  /** What `/set config KEY` may be given. */
  readonly node: CommandNode
}

/** Every setting, in the schema's order. Data of the schema alone: a new setting has its commands by itself. */
export function readSettings(): readonly Setting[] {
  return settingsIn(config, '')
}

type Schema = Readonly<Record<string, unknown>>

function settingsIn(schema: Schema, prefix: string): readonly Setting[] {
  const properties = isSchema(schema.properties) ? schema.properties : {}
  return Object.entries(properties).flatMap(([name, property]) => {
    if (name === '$schema' || !isSchema(property)) return []
    const key = `${prefix}${name}`
    return property.type === 'object' ? settingsIn(property, `${key}.`) : [settingOf(key, property)]
  })
}

function settingOf(key: string, schema: Schema): Setting {
  const description = typeof schema.description === 'string' ? schema.description : ''
  const fallback = isPlain(schema.default) ? schema.default : undefined
  const own = fallback === undefined ? '' : `\n\namber's own: ${settingText(fallback)}`
  return {
    key,
    description,
    fallback,
    node: {
      help: description,
      man: `Usage: /set config ${key} <value>${own}\n\n/set default ${key} takes yours away again.`,
      ...valuesOf(schema),
    },
  }
}

/** The legal values, where the schema lists them or gives their range. */
function valuesOf(schema: Schema): Pick<CommandNode, 'choices' | 'type' | 'range'> {
  if (schema.type === 'boolean') return { choices: ['on', 'off'] }
  if (Array.isArray(schema.enum)) return { choices: schema.enum.map(String) }
  if (schema.type !== 'integer' && schema.type !== 'number') return {}
  const { minimum, maximum } = schema
  const hasRange = typeof minimum === 'number' && typeof maximum === 'number'
  return {
    type: schema.type === 'integer' ? 'int' : 'float',
    ...(hasRange ? { range: [minimum, maximum] as const } : {}),
  }
}

/** A value as commands show and take it: `on`, `off`, a number, a word. */
export function settingText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
